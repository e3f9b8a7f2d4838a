/**
 * You got Cooties!: tag among players who opted in. A carrier passes them on to a player near him, and is rid of them. Nearness
 * uses published positions alone, of both, and the list is in no order that tells a distance.
 */
import type { CootiesPlayer, CootiesState } from "@lambda/contract/games";
import { COOTIES_IMMUNE_MS, COOTIES_REACH_KM, LEADERBOARD_SIZE } from "@lambda/contract/limits";
import { sql } from "kysely";
import { batch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import type { MemberContext } from "../../trpc.ts";
import { bookCredits } from "../credits/ledger.ts";
import { failedGuard, guard } from "../moderation/guard.ts";
import { notify } from "../notifications/notify.ts";
import { pointOfKey } from "../positions/curve.ts";
import { visibleTo } from "../visibility/visible.ts";
import { shuffle } from "./draw.ts";

const CAUGHT = { en: "You got cooties! Pass them on.", es: "¡Tienes piojos! Pásaselos a otro." };

/** Players looked at for the list of those near. */
const PLAYERS_LOOKED_AT = 300;
const NEAR_SHOWN = 24;
/** One carrier for this many players keeps everyone in the game. */
const PLAYERS_PER_CARRIER = 6;

interface Row {
  readonly id: number;
  readonly profile_name: string;
  readonly pics_public: string;
  readonly carrier: number;
  readonly tags: number;
  readonly caught: number;
  readonly ts_caught: number | null;
  readonly key: number | null;
}

export async function readCooties(ctx: MemberContext): Promise<CootiesState> {
  const { db, brand, viewer, now } = ctx;
  const me = viewer.profileId;
  const [mine, players, leaders] = await batch<[Row[], Row[], Row[]]>(ctx.d1, [
    sql`select p.id, p.profile_name, p.pics_public, c.carrier, c.tags, c.caught, c.ts_caught, s.key
      from profile p left join cooties_player c on c.brand = ${brand.bit} and c.profile_id = p.id
        left join position s on s.profile_id = p.id and s.ts_effective_until > ${now} where p.id = ${me}`.compile(db),
    sql`select p.id, p.profile_name, p.pics_public, c.carrier, c.tags, c.caught, c.ts_caught, s.key
      from cooties_player c join profile p on p.id = c.profile_id
        join position s on s.profile_id = p.id and s.ts_effective_until > ${now}
      where c.brand = ${brand.bit} and c.carrier = 0 and (c.ts_caught is null or c.ts_caught <= ${now - COOTIES_IMMUNE_MS})
        and ${visibleTo(ctx)} limit ${sql.lit(PLAYERS_LOOKED_AT)}`.compile(db),
    sql`select p.id, p.profile_name, p.pics_public, c.carrier, c.tags, c.caught, c.ts_caught, null as key
      from cooties_player c indexed by cooties_player_leader join profile p on p.id = c.profile_id
      where c.brand = ${brand.bit} and (p.id = ${me} or ${visibleTo(ctx)})
      order by c.tags desc, c.caught, c.profile_id limit ${sql.lit(LEADERBOARD_SIZE)}`.compile(db),
  ]);
  const own = mine[0];
  const playing = own !== undefined && own.carrier !== null;
  const carrier = playing && own.carrier === 1;
  const key = own?.key ?? null;
  const near = carrier && key !== null ? players.filter((player) => isNear(key, player.key)) : [];
  return {
    playing,
    carrier,
    positioned: key !== null,
    tsCaught: own?.ts_caught ? new Date(own.ts_caught).toISOString() : null,
    tags: own?.tags ?? 0,
    caught: own?.caught ?? 0,
    near: shuffle(near).slice(0, NEAR_SHOWN).map(toPlayer),
    leaders: leaders.map(toPlayer),
  };
}

/** Joins; where few carry cooties, the newcomer brings some. */
export async function joinCooties(ctx: MemberContext): Promise<void> {
  const { db, brand, viewer, now } = ctx;
  await sql`insert into cooties_player (profile_id, brand, carrier, ts_caught, ts_joined)
    select ${viewer.profileId}, ${brand.bit}, fresh, case when fresh then ${now} end, ${now} from (
      select (select count(*) from cooties_player where brand = ${brand.bit} and carrier = 1) * ${sql.lit(PLAYERS_PER_CARRIER)}
        <= (select count(*) from (select 1 from cooties_player where brand = ${brand.bit} limit 5000)) as fresh)
    where true on conflict (brand, profile_id) do nothing`.execute(db);
}

/** Leaves, with points and all. A carrier takes his cooties with him. */
export async function leaveCooties(ctx: MemberContext): Promise<void> {
  await ctx.db
    .deleteFrom("cooties_player")
    .where("brand", "=", ctx.brand.bit)
    .where("profile_id", "=", ctx.viewer.profileId)
    .execute();
}

/** Passes the cooties on. Throws NOT_FOUND for who cannot be tagged now: no player, not near, just caught, not visible. */
export async function tag(ctx: MemberContext, otherId: number): Promise<void> {
  const { db, brand, viewer, now } = ctx;
  const me = viewer.profileId;
  const { rows } = await sql<{ key: number; mine: number | null }>`
    select s.key, (select key from position where profile_id = ${me} and ts_effective_until > ${now}) as mine
    from profile p join position s on s.profile_id = p.id and s.ts_effective_until > ${now}
    where p.id = ${otherId} and ${visibleTo(ctx)}`.execute(db);
  const found = rows[0];
  if (!found || found.mine === null || !isNear(found.mine, found.key)) throw new AppError("NOT_FOUND");
  const allowed = sql<boolean>`exists (select 1 from cooties_player where brand = ${brand.bit} and profile_id = ${me} and carrier = 1)
    and exists (select 1 from cooties_player where brand = ${brand.bit} and profile_id = ${otherId} and carrier = 0
      and (ts_caught is null or ts_caught <= ${now - COOTIES_IMMUNE_MS}))`;
  try {
    await batch(ctx.d1, [
      guard(db, allowed),
      sql`update cooties_player set carrier = 0, tags = tags + 1, ts_caught = ${now} where brand = ${brand.bit} and profile_id = ${me}`.compile(
        db,
      ),
      sql`update cooties_player set carrier = 1, from_id = ${me}, caught = caught + 1, ts_caught = ${now}
        where brand = ${brand.bit} and profile_id = ${otherId}`.compile(db),
      bookCredits(ctx, me, "cooties", String(now), 1),
    ]);
  } catch (error) {
    if (failedGuard(error)) throw new AppError("NOT_FOUND");
    throw error;
  }
  await notify(ctx, { profileId: otherId, kind: "game", aboutId: me, bodyText: CAUGHT, url: "/games/cooties" });
}

function isNear(one: number, other: number | null): boolean {
  if (other === null) return false;
  const a = pointOfKey(one);
  const b = pointOfKey(other);
  const radians = Math.PI / 180;
  const x = (((b.lon - a.lon + 540) % 360) - 180) * radians * Math.cos(((a.lat + b.lat) / 2) * radians);
  return Math.hypot(x, (b.lat - a.lat) * radians) * 6371 <= COOTIES_REACH_KM;
}

function toPlayer(row: Row): CootiesPlayer {
  return {
    profileId: row.id,
    name: row.profile_name,
    pictureId: (JSON.parse(row.pics_public) as number[])[0] ?? null,
    carrier: row.carrier === 1,
    tags: row.tags,
    caught: row.caught,
  };
}
