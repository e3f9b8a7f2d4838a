import { readFileSync } from "node:fs";
import type { BrandId } from "@lambda/brands";
import { CHARACTERISTIC_CATEGORIES } from "@lambda/contract/characteristics";
import { seededRandom } from "@lambda/testing/random";
import { pick } from "./portraits.ts";

/** Lists by their headings, one entry a line or between bars. Any resemblance of the names to real people is coincidental. */
const LISTS = new Map(
  readFileSync(new URL("people.txt", import.meta.url), "utf8")
    .trim()
    .split("\n\n")
    .map((block) => {
      const [heading = "", ...lines] = block.split("\n");
      return [heading.replace("# ", ""), lines.flatMap((line) => line.split("|"))] as const;
    }),
);

export interface Person {
  readonly name: string;
  readonly birthdate: string;
  readonly height: string;
  readonly weight: string;
  readonly description: string;
  readonly characteristics: readonly string[];
  readonly pictures: number;
}

/** Invents the member for a seed. About one in ten leaves most fields empty, like real people. */
export function inventPerson(seed: number, brand: BrandId, now: number, isNeighbor = false): Person {
  const random = seededRandom(seed * 101 + 7).next;
  const draw = (list: string) => pick(random, LISTS.get(list)!);
  const sparse = random() < 0.1;
  const age = 18.1 + random() ** 1.4 * 46;
  const european = brand === "harbor" && !isNeighbor;
  const description =
    european && random() < 0.6 ? draw("spanish") : [draw("openers"), draw("middles"), draw("closers")].join(" ").trim();
  // So many names that few in one street share one.
  const neighbors = LISTS.get("neighbors")!;
  return {
    name: isNeighbor ? neighbors[(seed * 5) % neighbors.length]! : draw(brand),
    birthdate: new Date(now - age * 365.2425 * 86_400_000).toISOString().slice(0, 10),
    height: sparse ? "" : draw(european ? "heights in meters" : "heights in feet"),
    weight: sparse || random() < 0.2 ? "" : draw(european ? "weights in kilograms" : "weights in pounds"),
    description: sparse ? "" : description,
    characteristics: sparse ? [] : characteristics(random),
    pictures: random() < 0.07 ? 0 : 1 + Math.floor(random() ** 2 * 3),
  };
}

function characteristics(random: () => number): string[] {
  return Object.entries(CHARACTERISTIC_CATEGORIES).flatMap(([category, tags]) => {
    const chance = category === "Kink" ? 0.08 : category === "Interests" ? 0.3 : 0.24;
    return tags.filter((tag) => tag !== "Hiv+" && tag !== "Poz" && random() < chance);
  });
}
