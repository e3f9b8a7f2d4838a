import { seededRandom } from "@lambda/testing/random";
import { expect, it } from "vitest";
import { bestOf, CURRENT_RULE, EVERY_WORD, honestShare } from "./met.ts";

const RINGS = [1, 3, 10].flatMap((networks) =>
  [0, 40, 365].flatMap((openedOver) => [0, 8].map((strangers) => ({ networks, openedOver, strangers }))),
);

it.each(RINGS)(
  "ten accounts of one man with %o are met by nobody, unless they live as ten men for more than two months",
  (ring) => {
    const isTenLives = ring.networks >= 3 && ring.openedOver === 365 && ring.strangers > 0;
    expect(bestOf(ring, CURRENT_RULE) > 0).toBe(isTenLives);
    expect(bestOf(ring, EVERY_WORD)).toBe(10);
  },
);

it("shows it of most honest men whom five others have met", () => {
  const random = seededRandom(5);
  const shares = [3, 5, 8].map((men) => Math.round(100 * honestShare(men, random, 2)));
  expect(shares).toEqual([23, 72, 96]);
});
