import { CHARACTERISTICS } from "@lambda/contract/characteristics";
import { DAY_MS, POSITION_EFFECTIVE_MS, SEEN_ROUNDING_MS } from "@lambda/contract/limits";
import { cellAt } from "@lambda/geo/lattice";
import { sql } from "kysely";
import { latticesOf, publishedKey } from "../../places/positions/publish.ts";
import { batch } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import { randomHex } from "../../platform/hash.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { DESCRIPTIONS, HEIGHTS, NAMES } from "../../social/profiles/test-user-texts.ts";
import { withAudit } from "../audit/log.ts";

/** Degrees: most live near the centre, some in the suburbs. */
const SCATTER_DEGREES = 0.12;

/**
 * Makes members with names, ages, words and positions around the brand's first city, marked as test users. Throws
 * NOT_ALLOWED in production. Answers how many.
 */
export async function createTestUsers(ctx: MemberContext, count: number): Promise<number> {
  if (ctx.env.ENVIRONMENT === "production") throw new AppError("NOT_ALLOWED");
  const { brand, now, db } = ctx;
  const accounts = Array.from({ length: count }, () => ({
    email: `test-${randomHex(8)}@${brand.hosts[0]}`,
    name: "Test member",
    home_brand: brand.id,
    ts_created: now - Math.floor(Math.random() * 400 * DAY_MS),
  }));
  const [made] = await batch<[{ id: number; email: string }[]]>(ctx.d1, [
    sql`insert into account (email, name, home_brand, ts_sharing_chosen, ts_created, is_test)
      select value ->> 'email', value ->> 'name', value ->> 'home_brand', ${now}, value ->> 'ts_created', 1
      from json_each(${JSON.stringify(accounts)}) returning id, email`.compile(db),
  ]);
  const members = await Promise.all(made.map(({ id, email }) => imagine(ctx, id, email)));
  const list = JSON.stringify(members);
  await withAudit(
    ctx,
    [
      sql`insert into profile (id, profile_name, birthdate, height, weight, description, characteristics, shared_on, random_order, ts_seen, ts_updated)
        select value ->> 'id', value ->> 'name', value ->> 'birthdate', value ->> 'height', value ->> 'weight', value ->> 'description',
          value ->> 'characteristics', ${brand.bit}, value ->> 'tie', value ->> 'seen', ${now} from json_each(${list})`.compile(
        db,
      ),
      sql`insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
        select value ->> 'id', 'OVERRIDE', 'street', value ->> 'cell', value ->> 'key', ${now}, ${now + POSITION_EFFECTIVE_MS}
        from json_each(${list})`.compile(db),
    ],
    [
      {
        brand: brand.id,
        action: "staff.test_users",
        by: "staff",
        caseRef: null,
        details: { count },
        actorId: ctx.viewer.profileId,
      },
    ],
  );
  return members.length;
}

async function imagine({ env, brand, now }: MemberContext, id: number, email: string) {
  const { lat, lon } = brand.firstCity;
  const lattices = await latticesOf(env.POSITION_KEY, { email, lattice_seed: null });
  const cell = cellAt(lattices.own, { lat: lat + spread(), lon: lon + spread() }, "street");
  const ageDays = 365.25 * (19 + Math.abs(spread()) * 120 + Math.random() * 22);
  const wanted = 2 + Math.floor(Math.random() * 7);
  const bits = new Set(Array.from({ length: wanted }, () => Math.floor(Math.random() * CHARACTERISTICS.length)));
  const seen = now - Math.floor(Math.random() ** 3 * 3 * DAY_MS);
  return {
    id,
    name: pick(NAMES),
    birthdate: new Date(now - ageDays * DAY_MS).toISOString().slice(0, 10),
    height: pick(HEIGHTS),
    weight: `${130 + Math.floor(Math.random() * 110)} lb`,
    description: Math.random() < 0.85 ? pick(DESCRIPTIONS) : "",
    characteristics: [...bits].reduce((sum, bit) => sum + 2 ** bit, 0),
    tie: Math.floor(Math.random() * 2 ** 32),
    seen: seen - (seen % SEEN_ROUNDING_MS),
    cell,
    key: publishedKey(lattices, cell),
  };
}

/** Bell-shaped, in degrees. */
function spread(): number {
  return (Math.random() + Math.random() + Math.random() - 1.5) * SCATTER_DEGREES;
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)]!;
}
