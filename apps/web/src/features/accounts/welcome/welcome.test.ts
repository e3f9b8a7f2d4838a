import { describe, expect, it } from "vitest";
import { findBirthday, fromBirthdate, isComplete, toBirthdate } from "./birthday.ts";
import { firstStep } from "./first-step.ts";

describe("birthday fields", () => {
  it("are converted to a stored date and back", () => {
    expect(toBirthdate({ day: "7", month: "4", year: "1990" })).toBe("1990-04-07");
    expect(toBirthdate({ day: "", month: "", year: "" })).toBe("");
    expect(fromBirthdate("1990-04-07")).toEqual({ day: "07", month: "04", year: "1990" });
    expect(fromBirthdate(null)).toEqual({ day: "", month: "", year: "" });
  });

  it.each([
    ["02/29/2000", "29/02/2000"],
    ["2-29-2000", "29. 2. 2000"],
    ["29/02/2000", "29/02/2000"],
    ["2000-02-29", "2000/2/29"],
    ["\u200E٠٢/٢٩/٢٠٠٠", "٢٩\u200F/٠٢\u200F/٢٠٠٠"],
    ["０２／２９／２０００", "2000年2月29日"],
  ])("take %j and %j, pasted into one of them, as the same day", (english, spanish) => {
    for (const found of [
      findBirthday(english, ["month", "day", "year"]),
      findBirthday(spanish, ["day", "month", "year"]),
    ])
      expect(found && toBirthdate(found)).toBe("2000-02-29");
  });

  it.each(["", "29", "29/02", "2000-02-29 00:00"])("take %j as a part of a date", (typed) => {
    expect(findBirthday(typed, ["day", "month", "year"])).toBeUndefined();
  });

  it("are complete once no further digit can follow", () => {
    expect([isComplete("month", "1"), isComplete("month", "4"), isComplete("month", "12")]).toEqual([
      false,
      true,
      true,
    ]);
    expect([isComplete("day", "3"), isComplete("day", "4"), isComplete("day", "")]).toEqual([false, true, false]);
    expect([isComplete("year", "199"), isComplete("year", "1990")]).toEqual([false, true]);
  });
});

describe("firstStep", () => {
  const full = { profilename: "Marco", birthdate: "1990-04-07", profilePicIds: [1] };
  it("is the first step that the server lacks an answer to", () => {
    expect(firstStep({ ...full, profilename: "" })).toBe(0);
    expect(firstStep({ ...full, birthdate: null })).toBe(0);
    expect(firstStep({ ...full, profilePicIds: [] })).toBe(1);
    expect(firstStep(full)).toBe(2);
  });
});
