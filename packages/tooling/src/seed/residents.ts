import { ALL_BRANDS_MASK, BRANDS, type Brand, type BrandId } from "@lambda/brands";
import { characteristicsToBits } from "@lambda/contract/characteristics";
import { DAY_MS, POSITION_EFFECTIVE_MS } from "@lambda/contract/limits";
import type { Point } from "@lambda/geo/distance";
import { cellAt } from "@lambda/geo/lattice";
import { type MemberOverrides, memberStatements } from "@lambda/testing/members";
import { seededRandom } from "@lambda/testing/random";
import type { Statement } from "@lambda/testing/sql";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { latticesOf } from "@lambda/worker/lattices";
import { publishedKey } from "@lambda/worker/publish";
import { inventPerson, type Person } from "./people.ts";
import { CAST, type CastMember } from "./town/cast.ts";

/** Where the demo's members live. Each brand's first city is a part of San Francisco, because the demo's map has its streets. */

/** A part of a town: its center, its radius in degrees of latitude (on dry land), and its number of members. */
interface Quarter extends Point {
  readonly reach: number;
  readonly members: number;
}

/** Bounds of the demo's street map. */
const STREETS = { latMin: 37.7, lonMin: -122.52, latMax: 37.83, lonMax: -122.35 } as const;

/** 200 neighbors, most of them near the demo logins. */
const SAN_FRANCISCO: readonly Quarter[] = [
  { lat: 37.7609, lon: -122.435, reach: 0.005, members: 44 }, // Castro
  { lat: 37.7685, lon: -122.4325, reach: 0.0035, members: 16 }, // Duboce Triangle
  { lat: 37.7599, lon: -122.418, reach: 0.007, members: 24 }, // Mission
  { lat: 37.7502, lon: -122.4337, reach: 0.005, members: 16 }, // Noe Valley
  { lat: 37.77, lon: -122.4469, reach: 0.004, members: 14 }, // Haight
  { lat: 37.7765, lon: -122.4246, reach: 0.004, members: 12 }, // Hayes Valley
  { lat: 37.777, lon: -122.407, reach: 0.006, members: 14 }, // South of Market
  { lat: 37.744, lon: -122.415, reach: 0.005, members: 10 }, // Bernal Heights
  { lat: 37.759, lon: -122.399, reach: 0.005, members: 6 }, // Potrero Hill
  { lat: 37.762, lon: -122.466, reach: 0.006, members: 8 }, // Inner Sunset
  { lat: 37.78, lon: -122.464, reach: 0.006, members: 8 }, // Richmond
  { lat: 37.791, lon: -122.435, reach: 0.005, members: 8 }, // Pacific Heights
  { lat: 37.799, lon: -122.412, reach: 0.004, members: 6 }, // North Beach
  { lat: 37.734, lon: -122.433, reach: 0.005, members: 6 }, // Glen Park
  { lat: 37.7545, lon: -122.49, reach: 0.006, members: 5 }, // Sunset
  { lat: 37.724, lon: -122.43, reach: 0.005, members: 3 }, // Excelsior
];

/** How many more members live in each brand's first city, and in towns around the world. */
const OTHERS: Record<BrandId, { readonly firstCity: number; readonly towns: number }> = {
  ember: { firstCity: 0, towns: 56 },
  harbor: { firstCity: 40, towns: 10 },
  bramble: { firstCity: 40, towns: 10 },
};

/** Radius of a first city, which is on dry land, and of a town, in degrees of latitude. */
const FIRST_CITY_REACH = 0.006;
const TOWN_REACH = 0.06;

const TOWNS: readonly Point[] = [
  { lat: 33.4484, lon: -112.074 }, // Phoenix
  { lat: 41.3874, lon: 2.1686 }, // Barcelona
  { lat: 45.5152, lon: -122.6784 }, // Portland
  { lat: 34.0522, lon: -118.2437 }, // Los Angeles
  { lat: 40.7428, lon: -73.992 }, // New York
  { lat: 41.8981, lon: -87.6498 }, // Chicago
  { lat: 39.7392, lon: -104.9903 }, // Denver
  { lat: 29.7604, lon: -95.3698 }, // Houston
  { lat: 43.6662, lon: -79.3832 }, // Toronto
  { lat: 19.4326, lon: -99.1332 }, // Mexico City
  { lat: -34.6037, lon: -58.4116 }, // Buenos Aires
  { lat: 51.5136, lon: -0.1365 }, // London
  { lat: 40.4168, lon: -3.7038 }, // Madrid
  { lat: 52.52, lon: 13.405 }, // Berlin
  { lat: 48.8606, lon: 2.3522 }, // Paris
  { lat: -33.8788, lon: 151.2093 }, // Sydney
];

/** The demo's members as database rows: account, profile and position. Everything else is created through API calls. */

export const DEMO_LOGINS = [
  { email: "member@example.test", name: "Daniel" },
  { email: "other@example.test", name: "Mateo" },
  { email: "admin@example.test", name: "Winston" },
] as const;

const WEEK_MS = 7 * DAY_MS;
/** Only the demo member joined in this week; most early neighbors joined in the two weeks below. See `joinedAt`. */
const MEMBER_WEEKS_AGO = 107;
const FIRST_WEEKS_AGO = [110, 104] as const;
/** Number of neighbors, out of ten, who joined in those two weeks. */
const FIRST_OF_TEN = 6;
const LATER_DAYS_MAX = 640;
/** Some neighbors joined in the last days, and some were last here three days ago. */
const isNewcomer = (resident: Resident) => !resident.role && isNeighbor(resident) && resident.id % 10 === 9;
const isAway = (resident: Resident) => !resident.role && isNeighbor(resident) && resident.id % 10 === 8;
const AWAY_MS = 3 * DAY_MS;

/** One demo member. Ids start at 1: first the logins, then the cast, then the others. */
export interface Resident {
  readonly id: number;
  readonly brand: Brand;
  readonly home: Point;
  readonly login?: (typeof DEMO_LOGINS)[number] | undefined;
  /** Set for logins and cast, whose profiles are written by hand. */
  readonly role?: CastMember;
}

/** All residents in order of id; deterministic. */
export function listResidents(): Resident[] {
  const [first] = BRANDS as [Brand];
  const residents: Resident[] = [];
  const add = (resident: Omit<Resident, "id">) => residents.push({ id: residents.length + 1, ...resident });
  for (const [index, role] of CAST.entries()) add({ brand: first, home: role.home, login: DEMO_LOGINS[index], role });
  let placed = 0;
  for (const { members, reach, ...middle } of SAN_FRANCISCO) {
    // The first quarter's neighbors include the cast.
    const others = placed === 0 ? members - (CAST.length - DEMO_LOGINS.length) : members;
    for (let count = 0; count < others; count += 1) add({ brand: first, home: near(middle, reach, residents.length) });
    placed += members;
  }
  for (const brand of BRANDS) {
    const { firstCity, towns } = OTHERS[brand.id];
    for (let count = 0; count < firstCity; count += 1) {
      add({ brand, home: near(brand.firstCity, FIRST_CITY_REACH, residents.length) });
    }
    for (let count = 0; count < towns; count += 1) {
      add({ brand, home: near(TOWNS[count % TOWNS.length] as Point, TOWN_REACH, residents.length) });
    }
  }
  return residents;
}

export const isNeighbor = ({ id }: Resident) =>
  id > DEMO_LOGINS.length && id <= DEMO_LOGINS.length + SAN_FRANCISCO.reduce((sum, { members }) => sum + members, 0);

/** Whether a resident lives where the demo's map has streets. */
export const hasStreets = ({ home: { lat, lon } }: Resident) =>
  lat > STREETS.latMin && lat < STREETS.latMax && lon > STREETS.lonMin && lon < STREETS.lonMax;

/** The random seed of a member's drawings and texts. Those of the logins do not depend on the number of members. */
export const seedOf = ({ id, login }: Resident) => (login ? 9000 + id : id);

export function describeResident(resident: Resident, now: number): Person {
  const invented = inventPerson(seedOf(resident), resident.brand.id, now, hasStreets(resident));
  const { role } = resident;
  if (!role) return invented;
  const { age, tags, ...rest } = role;
  const born = now - (age + 0.1 + (resident.id % 8) / 10) * 365.2425 * DAY_MS;
  return { ...rest, birthdate: new Date(born).toISOString().slice(0, 10), characteristics: tags };
}

/** How many of a resident's pictures are public; the others are in the private album. */
export const PUBLIC_PICTURES = 2;

export function residentStatements(residents: readonly Resident[], passwordHash: string, now: number): Statement[] {
  const key = readWranglerConfig().vars.SITE_KEY ?? "";
  const rows = residents.map((resident) => toRows(resident, { passwordHash, key, now }));
  return [...memberStatements(...rows.map(({ member }) => member)), ...rows.map(({ position }) => position)];
}

interface RowOptions {
  readonly passwordHash: string;
  /** The development key of wrangler.toml, so that positions match those that the worker would publish. */
  readonly key: string;
  readonly now: number;
}

function toRows(
  resident: Resident,
  { passwordHash, key, now }: RowOptions,
): { member: MemberOverrides; position: Statement } {
  const { id, brand, login, role } = resident;
  const random = seededRandom(seedOf(resident) * 977 + 3).next;
  const described = describeResident(resident, now);
  const seenAgo = login ? 0 : random() ** 3 * (role ? 1 : 20) * 3_600_000;
  const seen = now - seenAgo - (isAway(resident) ? AWAY_MS : 0);
  // 40 % are shared with all sister brands, and so are logins and cast, so that their conversations work on each brand.
  const sharedOn = login || random() < 0.4 || role ? ALL_BRANDS_MASK : brand.bit;
  const hidden = !role && random() < 0.04;
  const email = login?.email ?? `demo-${id}@example.test`;
  const lattices = latticesOf({ SITE_KEY: key }, { id, email, lattice_seed: null, lattices: null });
  const cell = cellAt(lattices.own, resident.home, "street");
  return {
    member: {
      id,
      email,
      name: described.name,
      realName: login?.name ?? `Demo ${id}`,
      passwordHash: login ? passwordHash : null,
      brand: brand.id,
      adminBrand: login?.email.startsWith("admin") ? "*" : null,
      sharingChosen: now,
      acknowledgements: "demo",
      created: joinedAt(resident, random, now),
      isTest: true,
      birthdate: described.birthdate,
      height: described.height,
      weight: described.weight,
      description: described.description,
      characteristics: characteristicsToBits(described.characteristics),
      hidden,
      sharedOn,
      randomOrder: Math.floor(random() * 2 ** 32),
      seen: Math.round(seen),
      updated: Math.round(seen),
    },
    position: {
      query: `insert into position (profile_id, use, precision, cell, key, session, ts_published, ts_effective_until)
        values (?, 'OVERRIDE', 'street', ?, ?, ?, ?, ?)`,
      values: [id, cell, publishedKey(lattices, cell), id % 1000, now, now + POSITION_EFFECTIVE_MS],
    },
  };
}

/**
 * A jury takes three of its nine seats from the oldest third of the pool, and no two members who joined one brand in the same week. As
 * most early members joined in just two weeks and the demo member alone in a third, every jury includes the demo member.
 */
function joinedAt(resident: Resident, random: () => number, now: number): number {
  const { id, brand, login } = resident;
  const week = Math.floor(now / WEEK_MS) * WEEK_MS;
  const within = Math.round((0.1 + 0.8 * random()) * WEEK_MS);
  if (id === 1) return week - MEMBER_WEEKS_AGO * WEEK_MS + within;
  if (login || (brand.bit === 1 && id % 10 < FIRST_OF_TEN)) {
    return week - (FIRST_WEEKS_AGO[id % 2] as number) * WEEK_MS + within;
  }
  return Math.round(now - (isNewcomer(resident) ? 1 + 5 * random() : 8 + random() * LATER_DAYS_MAX) * DAY_MS);
}

/** A random point within `reach` of a center, usually close to it. */
function near({ lat, lon }: Point, reach: number, seed: number): Point {
  const random = seededRandom(seed * 71 + 13).next;
  const offset = () => (random() + random() - 1) * reach;
  return { lat: lat + offset(), lon: lon + offset() * 1.2 };
}
