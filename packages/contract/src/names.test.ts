import { describe, expect, it } from "vitest";
import { findNameProblem, nameSkeleton, normalizeName } from "./names.ts";

const problemOf = (name: string) => findNameProblem(normalizeName(name));

describe("profile names", () => {
  it.each([
    ["", "empty"],
    [" \u00A0\u3000 ", "empty"],
    ["\u200B", "empty"],
    ["\u3164\u2060\u115F", "empty"],
    ["\u{E0041}\u{E0042}", "empty"],
    ["\u2800", "invisible"],
    ["Marco\u202Eocram", "invisible"],
    ["Marco\u0000", "invisible"],
    ["Marco\nAdmin says", "invisible"],
    ["Mar\u2028co", "invisible"],
    [`M${"\u0301".repeat(60)}arco`, "marks"],
    ["\u{1F525}", "letterless"],
    ["...", "letterless"],
    ["\u0301\u0301", "letterless"],
    ["Ember Team \u2713", "reserved"],
    ["EMBER", "reserved"],
    ["E m b e r", "reserved"],
    ["\u0415mber", "reserved"],
    ["\u{1D404}\u{1D426}\u{1D41B}\u{1D41E}\u{1D42B} staff", "reserved"],
    ["Ernber Team", "reserved"],
    ["Harb0r support", "reserved"],
    ["team.bramble", "reserved"],
    ["Admin", "reserved"],
    ["The Moderator", "reserved"],
    ["Equipo de Ember", "reserved"],
    ["\u0430dm\u0456n", "reserved"],
    ["Support", "reserved"],
  ])("rejects %j as %s", (name, problem) => {
    expect(problemOf(name)).toBe(problem);
  });

  it.each([
    "Marco",
    "José",
    "Ñandú",
    "Åke",
    "Nguyễn",
    "Дмитрий",
    "Νίκος",
    "محمد",
    "דוד",
    "ひろし",
    "민준",
    "अर्जुन",
    "O'Neil-3",
    "Marco \u{1F468}\u200D\u2764\uFE0F\u200D\u{1F468}",
    "Bear \u{1F3FB}\u{1F43B}",
    "می\u200Cخواهم",
    "क्\u200Dष",
    "Pearl Harbor Guy",
    "Team player",
    "Bear of the Ember nights",
    "Supportive",
    "Modesto",
  ])("accepts %s", (name) => {
    expect(problemOf(name)).toBeUndefined();
  });

  it("normalizes to composed letters and single spaces", () => {
    expect(normalizeName("  Jose\u0301\u00A0\u3000 Luis ")).toBe("José Luis");
    for (const pasted of ["\uFEFFJosé\u200B", "Jo\u00ADsé", "Jose\u200D\u0301", "José\u200E\uFE0F"])
      expect(normalizeName(pasted)).toBe("José");
  });
});

it("gives lookalike names the same skeleton", () => {
  for (const lookalike of [
    "\u041Carc\u043E",
    "marco",
    "M\u00E1rco",
    "Marco \u2713",
    "Marc0",
    "\uFF2D\uFF41\uFF52\uFF43\uFF4F",
    "M.a.r.c.o",
  ]) {
    expect(nameSkeleton(lookalike), lookalike).toBe(nameSkeleton("Marco"));
  }
  expect(nameSkeleton("Marca")).not.toBe(nameSkeleton("Marco"));
});
