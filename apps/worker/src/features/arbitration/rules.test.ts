import type { JurySanction } from "@lambda/contract/arbitration";
import { expect, it } from "vitest";
import { type Ballot, decide } from "./rules.ts";

const guilty = (sanction: JurySanction): Ballot => ({ verdict: "violation", sanction });
const innocent: Ballot = { verdict: "no_violation", sanction: null };

it("decides for the member as soon as a majority does", () => {
  expect(decide([innocent, innocent])).toBeUndefined();
  expect(decide([innocent, innocent, innocent])).toEqual({ verdict: "no_violation", sanction: null });
});

it("waits for every vote before it decides against him, and takes the middle sanction", () => {
  const votes = [guilty("suspend_30"), guilty("warn"), guilty("suspend_7")];
  expect(decide(votes)).toBeUndefined();
  expect(decide([...votes, innocent, innocent])).toEqual({ verdict: "violation", sanction: "suspend_7" });
});

it("takes the milder of two middle sanctions", () => {
  const votes = [guilty("suspend_30"), guilty("suspend_30"), guilty("warn"), guilty("warn"), innocent];
  expect(decide(votes)?.sanction).toBe("warn");
});
