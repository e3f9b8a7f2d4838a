/**
 * Records what a member let others see or reach from a session without a fresh proof: an unlocked phone in other hands suffices for it.
 * Whatever ends all other sessions takes it back (take-back.ts).
 */
import { BRANDS } from "@lambda/brands";
import type { Disclosure, DisclosureKind } from "@lambda/contract/disclosures";
import { DISCLOSURE_RETENTION_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import type { MemberContext } from "../../platform/access.ts";
import { type Database, type Query, rawQuery } from "../../platform/db/database.ts";
import { isFresh } from "../../platform/fresh.ts";
import { toIso } from "../../platform/iso-time.ts";
import { HIDES, listedOn, showsThemselves, type ViewerContext } from "../visibility.ts";

type DiscloseContext = Pick<MemberContext, "db" | "viewer" | "now">;

interface Target {
  readonly otherId?: number;
  /** The brand's bit. */
  readonly bit?: number;
}

/** For the batch of the act, before it. A fresh proof settles what was recorded earlier. */
function discloseQuery(
  { db, viewer, now }: DiscloseContext,
  kind: DisclosureKind,
  { otherId, bit = 0 }: Target,
  opens: RawBuilder<unknown>,
): Query {
  const { profileId } = viewer;
  if (isFresh(viewer, now))
    return db
      .deleteFrom("disclosure")
      .where("profile_id", "=", profileId)
      .where("kind", "=", kind)
      .where("bit", "=", bit)
      .where("other_id", "is", otherId ?? null);
  return rawQuery(
    db,
    sql`insert or replace into disclosure (profile_id, kind, other_id, bit, ts_created)
      select ${profileId}, ${kind}, ${otherId ?? null}, ${bit}, ${now} where ${opens}`,
  );
}

export const discloseUnblockQuery = (ctx: DiscloseContext, otherId: number): Query =>
  discloseQuery(
    ctx,
    "unblocked",
    { otherId },
    sql`exists (select 1 from block where profile_id = ${ctx.viewer.profileId} and other_id = ${otherId} and blocked_by_profile = 1)`,
  );

/** Follows the grant in its batch, unless another batch opens the album. */
export const discloseAlbumQuery = (
  ctx: DiscloseContext,
  otherId: number,
  opens: RawBuilder<unknown> = sql`exists (select 1 from album_grant where owner_id = ${ctx.viewer.profileId}
    and member_id = ${otherId} and state = 'granted' and ts_created = ${ctx.now})`,
): Query => discloseQuery(ctx, "album", { otherId }, opens);

/** Follows an act by which a discreet member showed themselves, before `shown_to` names the other. */
export const discloseShownQuery = (ctx: DiscloseContext, otherId: number): Query =>
  discloseQuery(
    ctx,
    "shown",
    { otherId },
    sql`exists (select 1 from profile where id = ${ctx.viewer.profileId} and discreet_on <> 0)
      and ${showsThemselves(ctx.viewer.profileId, otherId, ctx.now)}
      and not exists (select 1 from shown_to where profile_id = ${ctx.viewer.profileId} and viewer_id = ${otherId})`,
  );

const isOwn = (ctx: DiscloseContext, state: RawBuilder<unknown>) =>
  sql`exists (select 1 from profile where id = ${ctx.viewer.profileId} and ${state})`;

export const discloseOpenQuery = (ctx: DiscloseContext): Query =>
  discloseQuery(ctx, "open", {}, isOwn(ctx, sql`discreet_on <> 0`));

export const discloseUnhiddenQuery = (ctx: DiscloseContext): Query =>
  discloseQuery(ctx, "unhidden", {}, isOwn(ctx, HIDES));

export const discloseSharedQueries = (ctx: DiscloseContext, sharedOn: number): Query[] =>
  BRANDS.filter(({ bit }) => sharedOn & bit).map(({ bit }) =>
    discloseQuery(ctx, "shared", { bit }, isOwn(ctx, sql`(shared_on | discreet_on) & ${bit} = 0`)),
  );

/** What the next end of all sessions would take back, the newest first. Members out of sight have no name here. */
export async function listDisclosures(
  db: Database,
  { brand, viewer }: ViewerContext,
  now: number,
): Promise<Disclosure[]> {
  const rows = await db
    .selectFrom("disclosure as d")
    .leftJoin("profile as p", "p.id", "d.other_id")
    .leftJoin("block as b", (join) =>
      join.onRef("b.profile_id", "=", "d.profile_id").onRef("b.other_id", "=", "d.other_id"),
    )
    .select(["d.id", "d.kind", "d.other_id", "d.bit", "d.ts_created"])
    .select(
      sql<string | null>`case when ifnull(b.blocked_by_other, 0) = 0 and ${listedOn(brand)} then p.profile_name end`.as(
        "shown_name",
      ),
    )
    .where("d.profile_id", "=", viewer.profileId)
    .where("d.ts_created", ">", now - DISCLOSURE_RETENTION_MS)
    .orderBy("d.id", "desc")
    .execute();
  return rows.map(({ id, kind, other_id, bit, ts_created, shown_name }) => ({
    id,
    kind,
    profileId: other_id,
    profileName: shown_name,
    brand: BRANDS.find((brand) => brand.bit === bit)?.id ?? null,
    tsCreated: toIso(ts_created),
  }));
}
