import { CHARACTERISTICS } from "@lambda/contract/characteristics";
import { DAY_MS, POSITION_EFFECTIVE_MS, SEEN_ROUNDING_MS } from "@lambda/contract/limits";
import { cellAt } from "@lambda/geo/lattice";
import type { Insertable } from "kysely";
import { latticesOf } from "../../accounts/lattices.ts";
import { publishedKey } from "../../places/positions/publish.ts";
import { type Database, rowsOf } from "../../platform/db/database.ts";
import type { Tables } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import { randomHex } from "../../platform/hash.ts";
import { toIsoDate } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { DESCRIPTIONS, HEIGHTS, NAMES } from "../../profiles/test-user-texts.ts";
import { staffEvent, withAudit } from "../audit/log.ts";

/** In degrees: most test users live near the center, some in the suburbs. */
const SCATTER_DEGREES = 0.12;

/**
 * Creates test users with names, ages, texts and positions around the brand's first city, and returns how many. Throws
 * NOT_ALLOWED in production.
 */
export async function createTestUsers(ctx: MemberContext, count: number): Promise<number> {
  if (ctx.env.ENVIRONMENT === "production") throw new AppError("NOT_ALLOWED");
  const { brand, now, db } = ctx;
  const accounts = Array.from({ length: count }, () => ({
    email: `test-${randomHex(8)}@${brand.hosts[0]}`,
    name: "Test member",
    home_brand: brand.id,
    ts_created: now - Math.floor(Math.random() * 400 * DAY_MS),
    ts_sharing_chosen: now,
    is_test: 1 as const,
  }));
  const created = await insertRows(db, "account", accounts).returning(["id", "email"]).execute();
  const members = created.map(({ id, email }) => generateMember(ctx, id, email));
  const profiles = members.map((member) => member.profile);
  const positions = members.map((member) => member.position);
  await withAudit(
    ctx,
    [insertRows(db, "profile", profiles), insertRows(db, "position", positions)],
    [staffEvent(ctx, "staff.test_users", { details: { count } })],
  );
  return members.length;
}

/** Many rows at once. */
function insertRows<Table extends keyof Tables & string>(
  db: Database,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
) {
  const columns = Object.keys(rows[0]!) as (keyof Tables[Table] & keyof Insertable<Tables[Table]> & string)[];
  return db
    .insertInto(table)
    .columns(columns)
    .expression(db.selectFrom(rowsOf(rows, columns, "row")).selectAll("row"));
}

function generateMember({ env, brand, now }: MemberContext, id: number, email: string) {
  const { lat, lon } = brand.firstCity;
  const lattices = latticesOf(env, { id, email, lattice_seed: null, lattices: null });
  const cell = cellAt(lattices.own, { lat: lat + randomOffset(), lon: lon + randomOffset() }, "street");
  const ageDays = 365.25 * (19 + Math.abs(randomOffset()) * 120 + Math.random() * 22);
  const bitCount = 2 + Math.floor(Math.random() * 7);
  const bits = new Set(Array.from({ length: bitCount }, () => Math.floor(Math.random() * CHARACTERISTICS.length)));
  const seen = now - Math.floor(Math.random() ** 3 * 3 * DAY_MS);
  const profile = {
    id,
    profile_name: pick(NAMES),
    birthdate: toIsoDate(now - ageDays * DAY_MS),
    height: pick(HEIGHTS),
    weight: `${130 + Math.floor(Math.random() * 110)} lb`,
    description: Math.random() < 0.85 ? pick(DESCRIPTIONS) : "",
    characteristics: [...bits].reduce((sum, bit) => sum + 2 ** bit, 0),
    random_order: Math.floor(Math.random() * 2 ** 32),
    ts_seen: seen - (seen % SEEN_ROUNDING_MS),
    shared_on: brand.bit,
    ts_updated: now,
  };
  const effective = {
    use: "OVERRIDE",
    precision: "street",
    ts_published: now,
    ts_effective_until: now + POSITION_EFFECTIVE_MS,
  } as const;
  return { profile, position: { profile_id: id, cell, key: publishedKey(lattices, cell), ...effective } };
}

/** A random offset in degrees with a bell-shaped distribution around 0. */
const randomOffset = (): number => (Math.random() + Math.random() + Math.random() - 1.5) * SCATTER_DEGREES;

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;
