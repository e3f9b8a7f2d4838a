import type { JurySanction } from "@lambda/contract/arbitration";
import { expect, it } from "vitest";
import { type Ballot, countBallots, needsStaff, staffReason } from "./rules.ts";

const guilty = (sanction: JurySanction = "warn"): Ballot => ({ verdict: "violation", sanction });
const innocent: Ballot = { verdict: "no_violation", sanction: null };
const votes = (against: number, forThem: number) => [
  ...Array.from({ length: against }, () => guilty()),
  ...Array.from({ length: forThem }, () => innocent),
];

it.each([
  [4, 0, undefined],
  [4, 1, "violation"],
  [3, 2, undefined],
  [2, 3, undefined],
  [1, 4, "no_violation"],
  [4, 2, "violation"],
  [6, 3, "violation"],
  [5, 4, undefined],
  [3, 6, "no_violation"],
])("turns %i votes against and %i for a member into the verdict: %s", (against, forThem, verdict) => {
  expect(countBallots(votes(against, forThem))?.verdict).toBe(verdict);
});

it("imposes the median sanction, and the milder of two middle ones", () => {
  const odd = [guilty("suspend_30"), guilty("warn"), guilty("suspend_7"), guilty("suspend_7"), guilty("warn")];
  expect(countBallots(odd)?.sanction).toBe("suspend_7");
  const even = [guilty("suspend_30"), guilty("suspend_30"), guilty("warn"), guilty("warn"), innocent, innocent];
  expect(countBallots(even)?.sanction).toBe("warn");
});

it.each([
  ["suspend_3", 300, 0, 0, false],
  ["suspend_7", 300, 200, 200, true],
  ["suspend_7", 10_000, 199, 199, true],
  ["suspend_7", 10_000, 200, 195, true],
  ["suspend_30", 10_000, 200, 196, false],
] as const)(
  "%s with a pool of %i, %i tested and %i confirmed waits for staff: %s",
  (sanction, pool, tested, confirmed, waits) => {
    expect(needsStaff(sanction, { pool, tested, confirmed })).toBe(waits);
  },
);

it("sends a case to staff because of its rule, a private picture, the reporter's record or a recent clearance", () => {
  const day = 86_400_000;
  const plain = { staffOnly: false, isPrivate: false, credibility: 0.5, tsCleared: null, now: 100 * day };
  expect(staffReason(plain)).toBeUndefined();
  expect(staffReason({ ...plain, staffOnly: true })).toBe("rule");
  expect(staffReason({ ...plain, isPrivate: true })).toBe("private");
  expect(staffReason({ ...plain, credibility: 0.2 })).toBe("record");
  expect(staffReason({ ...plain, tsCleared: 75 * day })).toBe("cleared");
  expect(staffReason({ ...plain, tsCleared: 65 * day })).toBeUndefined();
});
