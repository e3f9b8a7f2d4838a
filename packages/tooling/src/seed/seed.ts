import { ALL_BRANDS_MASK, BRANDS, type Brand, type BrandId } from "@lambda/brands";
import { characteristicsToBits } from "@lambda/contract/characteristics";
import { DAY_MS, POSITION_EFFECTIVE_MS } from "@lambda/contract/limits";
import type { Point } from "@lambda/geo/distance";
import { cellAt } from "@lambda/geo/lattice";
import { type MemberOverrides, memberStatements, sessionStatement } from "@lambda/testing/members";
import { seededRandom } from "@lambda/testing/random";
import type { Statement } from "@lambda/testing/sql";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { hashPassword } from "@lambda/worker/passwords";
import { latticesOf, publishedKey } from "@lambda/worker/publish";
import sharp from "sharp";
import { person } from "./people.ts";
import { type Mood, pick, portrait } from "./portraits.ts";

/** Demo members of a local database; they go in through the development doors of the running site. */

export const DEMO_PASSWORD = "demo-password";
export const DEMO_LOGINS = [
  { email: "member@example.test", name: "Daniel", seed: 9001 },
  { email: "other@example.test", name: "Mateo", seed: 9002 },
  { email: "admin@example.test", name: "Winston", seed: 9003 },
] as const;
const MEMBERS_OF_FIRST_BRAND = 200;
const MEMBERS_OF_SISTER_BRAND = 60;
const UPLOADS_AT_ONCE = 3;
/** The device of the sessions that upload; as long as there is one, pictures are missing. */
const UPLOADER = "Demo seed";

/** Where one in four lives, so that the map has something to show from afar. */
const ELSEWHERE: readonly Point[] = [
  { lat: 34.0522, lon: -118.2437 },
  { lat: 40.7128, lon: -74.006 },
  { lat: 32.2226, lon: -110.9747 },
  { lat: 39.7392, lon: -104.9903 },
  { lat: 37.7749, lon: -122.4194 },
  { lat: 41.8781, lon: -87.6298 },
  { lat: 19.4326, lon: -99.1332 },
  { lat: 29.7604, lon: -95.3698 },
  { lat: 40.4168, lon: -3.7038 },
  { lat: 52.52, lon: 13.405 },
];

export async function isSeeded(base: string): Promise<boolean> {
  const [row] = await sql<{ n: number }>(base, "select count(*) n from account");
  return (row?.n ?? 0) > 0;
}

/** Whether the demo logins are there: a database that had members of its own before is not seeded. */
export async function hasDemoLogins(base: string): Promise<boolean> {
  return (await sql(base, `select 1 from account where email = '${DEMO_LOGINS[0].email}'`)).length > 0;
}

/** Accounts, profiles, positions, likes, blocks, notes and a few messages; takes about a second. */
export async function seedMembers(base: string, now = Date.now()): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  const made: DemoMember[] = [];
  let id = 0;
  for (const login of DEMO_LOGINS) {
    id += 1;
    made.push(await demoMember(id, BRANDS[0] as Brand, login.seed, now, { ...login, passwordHash }));
  }
  for (const [index, brand] of BRANDS.entries()) {
    for (let count = index === 0 ? MEMBERS_OF_FIRST_BRAND : MEMBERS_OF_SISTER_BRAND; count > 0; count -= 1) {
      id += 1;
      made.push(await demoMember(id, brand, id, now));
    }
  }
  const members = memberStatements(...made.map(({ member }) => member));
  const positions = made.map(({ position }) => position);
  const uploader = sessionStatement(id, { device: UPLOADER, now }).statement;
  await post(base, { batch: [...members, ...positions, ...relations(id, now), uploader] });
}

/** Whether uploading the pictures has not ended yet: it goes on where a start before was broken off. */
export async function lacksPictures(base: string): Promise<boolean> {
  return (await sql(base, `select 1 from session where device_label = '${UPLOADER}' limit 1`)).length > 0;
}

/** Draws the pictures that are missing and uploads them the way a member does; returns how many. Runs while the site is already in use. */
export async function seedPictures(base: string, now = Date.now()): Promise<number> {
  const members = await sql<{ id: number; home_brand: BrandId; email: string; pictures: number }>(
    base,
    `select id, home_brand, email, (select count(*) from picture where profile_id = account.id) pictures from account
      where email like 'demo-%@example.test' or email in (${DEMO_LOGINS.map(({ email }) => `'${email}'`).join()}) order by id`,
  );
  let uploaded = 0;
  const queue = members[Symbol.iterator]();
  const work = async () => {
    for (const { id, home_brand, email, pictures } of queue) {
      const seed = DEMO_LOGINS.find((login) => login.email === email)?.seed ?? id;
      const count = seed > 9000 ? 3 : person(seed, home_brand, now).pictures;
      for (let shot = pictures; shot < count; shot += 1) {
        await upload(base, id, seed, shot, now);
        uploaded += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, work));
  await post(base, { query: "delete from session where device_label = ?", values: [UPLOADER] });
  return uploaded;
}

interface DemoMember {
  readonly member: MemberOverrides;
  readonly position: Statement;
}

async function demoMember(
  id: number,
  brand: Brand,
  seed: number,
  now: number,
  login?: { email: string; name: string; passwordHash: string },
): Promise<DemoMember> {
  const random = seededRandom(seed * 977 + 3).next;
  const described = person(seed, brand.id, now);
  const seen = now - (login ? 0 : random() ** 3 * 20 * 3_600_000);
  // Four in ten share with every sister brand; the demo logins do too, so that each brand can be tried with them.
  const sharedOn = login || random() < 0.4 ? ALL_BRANDS_MASK : brand.bit;
  const hidden = !login && random() < 0.04;
  const [north, east] = [spread(random), spread(random) * 1.2];
  const home = login || seed % 4 !== 0 ? brand.firstCity : (ELSEWHERE[(seed / 4) % ELSEWHERE.length] as Point);
  const email = login?.email ?? `demo-${id}@example.test`;
  const lattices = await latticesOf(positionKey(), { email, lattice_seed: null });
  const cell = cellAt(lattices.own, { lat: home.lat + north, lon: home.lon + east }, "street");
  return {
    member: {
      id,
      email,
      name: login?.name ?? described.name,
      realName: login?.name ?? `Demo ${id}`,
      passwordHash: login?.passwordHash ?? null,
      brand: brand.id,
      adminBrand: login?.email.startsWith("admin") ? "*" : null,
      sharingChosen: now,
      acknowledgements: "demo",
      created: Math.round(now - random() * 300 * DAY_MS),
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

/** Likes around the demo logins, two blocks, and first words, so that no list is empty. */
function relations(last: number, now: number): Statement[] {
  const random = seededRandom(42).next;
  const statements: Statement[] = [];
  const like = (liker: number, liked: number, type: string) =>
    statements.push({
      query: "insert or ignore into profile_like (liker_id, liked_id, like_type, ts_created) values (?, ?, ?, ?)",
      values: [liker, liked, type, Math.round(now - random() * 9 * DAY_MS)],
    });
  for (let id = 4; id <= last; id += 1) {
    for (const demo of [1, 2, 3]) {
      if (random() < 0.14) like(id, demo, random() < 0.9 ? "LIKE" : "DISLIKE");
      if (random() < 0.1) like(demo, id, "LIKE");
    }
    if (random() < 0.3) like(id, 4 + Math.floor(random() * (last - 4)), "LIKE");
  }
  for (const [one, other] of [
    [1, 20],
    [31, 1],
  ] as const) {
    const query =
      "insert or ignore into block (profile_id, other_id, by_me, by_other, ts_created) values (?, ?, ?, ?, ?)";
    statements.push({ query, values: [one, other, 1, 0, now] }, { query, values: [other, one, 0, 1, now] });
  }
  const lines = [
    "Hey, I think we pass each other at the farmers' market.",
    "Your profile made me laugh. Coffee this week?",
    "Is that dog as stubborn as he looks?",
    "Good evening, neighbour.",
  ];
  lines.forEach((line, index) => {
    const sender = 5 + index * 7;
    // The oldest first, as ids follow the time.
    const sent = now - (lines.length - index) * 3_500_000;
    statements.push(
      {
        query: `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
          values (?, 1, 1, ?, ?, ?, 'ember', ?)`,
        values: [sender, sender, `demo-seed-${index}`, line, sent],
      },
      ...[
        [1, sender, 1],
        [sender, 1, 0],
      ].map(([mine, other, unread]) => ({
        query: `insert into conversation (profile_id, other_id, last_message_id, unread)
          select ?, ?, id, ? from message where client_id = ?`,
        values: [mine ?? 0, other ?? 0, unread ?? 0, `demo-seed-${index}`],
      })),
    );
  });
  return statements;
}

/** About 6 km of standard deviation: a city with a centre. */
function spread(random: () => number): number {
  return (random() + random() + random() - 1.5) * 0.11;
}

async function upload(base: string, profileId: number, seed: number, shot: number, now: number): Promise<void> {
  const random = seededRandom(seed * 13 + shot).next;
  const mood: Mood = shot === 0 ? pick(random, ["face", "face", "torso"]) : pick(random, ["torso", "scene", "face"]);
  const file = await sharp(Buffer.from(portrait(seed, shot, mood)))
    .jpeg({ quality: 82 })
    .toBuffer();
  const { statement, token } = sessionStatement(profileId, { device: UPLOADER, now });
  await post(base, statement);
  const form = new FormData();
  form.set("authorProfileId", String(profileId));
  form.set("picfilename", `demo-${shot}.jpg`);
  form.set("picfile", new File([new Uint8Array(file)], `demo-${shot}.jpg`, { type: "image/jpeg" }));
  if (shot === 2) form.set("audience", "private");
  const answer = await fetch(`${base}/api/profile-pic`, {
    method: "POST",
    body: form,
    headers: { cookie: `__Host-session=${token}`, "x-development-quotas": "off", origin: base },
  });
  if (!answer.ok) throw new Error(`demo picture refused: ${answer.status} ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: number };
  if (mood === "torso" && random() < 0.45) {
    await post(base, { query: "update picture set nsfw_owner = 1 where id = ?", values: [id] });
  }
}

async function sql<Row>(base: string, query: string): Promise<Row[]> {
  return (await post(base, { query, values: [] })) as Row[];
}

async function post(base: string, body: unknown): Promise<unknown[]> {
  const answer = await fetch(`${base}/dev/sql`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as unknown[];
}

/** The development key of wrangler.toml, so that the seeded positions are the ones the worker would publish. */
function positionKey(): string {
  return readWranglerConfig().vars.POSITION_KEY ?? "";
}
