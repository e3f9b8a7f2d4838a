import { describe, expect, it } from "vitest";
import { fromBirthdate, isFull, toBirthdate } from "./birthday.ts";
import { firstStep } from "./first-step.ts";

describe("a birthday that is typed", () => {
  it("becomes the date that is stored, and comes back", () => {
    expect(toBirthdate({ day: "7", month: "4", year: "1990" })).toBe("1990-04-07");
    expect(toBirthdate({ day: "", month: "", year: "" })).toBe("");
    expect(fromBirthdate("1990-04-07")).toEqual({ day: "07", month: "04", year: "1990" });
    expect(fromBirthdate(null)).toEqual({ day: "", month: "", year: "" });
  });

  it("goes on to the next field once no digit can follow", () => {
    expect([isFull("month", "1"), isFull("month", "4"), isFull("month", "12")]).toEqual([false, true, true]);
    expect([isFull("day", "3"), isFull("day", "4"), isFull("day", "")]).toEqual([false, true, false]);
    expect([isFull("year", "199"), isFull("year", "1990")]).toEqual([false, true]);
  });
});

describe("the welcome on a device that knows nothing of it", () => {
  const full = { profilename: "Marco", birthdate: "1990-04-07", profilePicIds: [1] };
  it("begins at what the server lacks", () => {
    expect(firstStep({ ...full, profilename: "" }, { sharingChosen: true })).toBe(0);
    expect(firstStep({ ...full, birthdate: null }, { sharingChosen: true })).toBe(0);
    expect(firstStep({ ...full, profilePicIds: [] }, { sharingChosen: true })).toBe(1);
    expect(firstStep(full, { sharingChosen: false })).toBe(3);
    expect(firstStep(full, { sharingChosen: true })).toBe(2);
  });
});
