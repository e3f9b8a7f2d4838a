/** Invented neighbors with handwritten profiles, with whom the demo member interacts. */
import { readFileSync } from "node:fs";
import type { Point } from "@lambda/geo/distance";

export interface CastMember {
  readonly name: string;
  readonly age: number;
  readonly height: string;
  readonly weight: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly home: Point;
  /** Number of pictures: the first two are public, the others in the private album. */
  readonly pictures: number;
}

/** Profile ids of the three logins. */
export const LOGINS = { member: 1, other: 2, admin: 3 } as const;

function parse(facts: string, description: string): CastMember {
  const [, name = "", age, height = "", weight = "", pictures, lat, lon, tags = ""] =
    /^(.+), (\d+), (.+), (.+), (\d) pictures at (\S+) (\S+): (.+)$/.exec(facts) ?? [];
  const home = { lat: Number(lat), lon: Number(lon) };
  const looks = { name, age: Number(age), height, weight };
  return { ...looks, description, tags: tags.split(" "), home, pictures: Number(pictures) };
}

const lines = readFileSync(new URL("cast.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");
/** The three logins, then the cast, in order of their ids: two lines of the text each. */
export const CAST: readonly CastMember[] = lines.flatMap((facts, index) =>
  index % 2 === 0 ? [parse(facts, lines[index + 1] ?? "")] : [],
);

/** The id of a cast member by name in lower case, or of a login by role. */
export function idOf(who: string): number {
  if (who === "member" || who === "other") return LOGINS[who];
  const index = CAST.findIndex(({ name }) => name.toLowerCase() === who);
  if (index < 0) throw new Error(`nobody in the cast is called ${who}`);
  return index + 1;
}
