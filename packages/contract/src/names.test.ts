import { describe, expect, it } from "vitest";
import { findNameProblem, nameSkeleton, normalizeName, stripInvisibleCharacters } from "./names.ts";

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
    ["Admin1", "reserved"],
    ["Moderator 2", "reserved"],
    ["Support24", "reserved"],
    ["Supp0r7", "reserved"],
    ["Ember Team 2026", "reserved"],
    ["Moderators", "reserved"],
    ["Moderación", "reserved"],
    ["Trust & Safety", "reserved"],
    ["Customer Support", "reserved"],
    ["Soporte al cliente", "reserved"],
    ["\u{1F3F4}", "letterless"],
    ["\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "letterless"],
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
    "Admiral 8",
    "Ember7 of the bears",
    "Trust",
    "Marco 1",
    "24",
  ])("accepts %s", (name) => {
    expect(problemOf(name)).toBeUndefined();
  });

  it.each([
    "Ian \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "Gareth \u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}\u2764\uFE0F",
    "Marco 1\uFE0F\u20E3",
    "ශ්\u200Dරී",
    "ಕ್\u200Dಷ",
    "می\u200Cخواهم",
  ])("leaves %s as it is seen", (name) => {
    expect(normalizeName(name)).toBe(name);
    expect(problemOf(name)).toBeUndefined();
    expect(stripInvisibleCharacters(`\u202E${name}\u2800\u0000`)).toBe(name);
  });

  it("keeps no hidden text in a flag", () => {
    expect(normalizeName("Ian \u{1F3F4}\u{E0041}\u{E0042}\u{E007F}")).toBe("Ian \u{1F3F4}");
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
