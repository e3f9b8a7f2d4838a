/**
 * Records what a member let others see or reach from a session without a fresh proof: an unlocked phone in other hands suffices for it.
 * Whatever ends all other sessions takes it back (take-back.ts).
 */
import { BRANDS } from "@lambda/brands";
import type { Disclosure, DisclosureKind } from "@lambda/contract/disclosures";
import type { Audience } from "@lambda/contract/health";
import type { HealthField } from "@lambda/contract/health-fields";
import { DISCLOSURE_RETENTION_MS } from "@lambda/contract/limits";
import type { FirstContact } from "@lambda/contract/messages";
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

/** The first like or message of a member to another. */
export type FirstAct = "like" | "message";

/**
 * Follows an act by which a discreet member showed themselves, before `shown_to` names the other. The first act after discretion was ended
 * without a proof is one too: it shows them once discretion returns.
 */
export function discloseShownQuery(ctx: DiscloseContext, otherId: number, first?: FirstAct): Query {
  const me = ctx.viewer.profileId;
  const grant = sql`select 1 from album_grant g where g.owner_id = ${me} and g.member_id = ${otherId} and g.state = 'granted'`;
  // An album that closed by itself leaves the name there until its grant is deleted.
  const discreetly = sql`exists (select 1 from profile where id = ${me} and discreet_on <> 0)
    and (not exists (select 1 from shown_to where profile_id = ${me} and viewer_id = ${otherId})
      or exists (${grant} and g.ts_expires <= ${ctx.now}))`;
  const sinceOpen = sql`exists (select 1 from disclosure o where o.profile_id = ${me} and o.kind = 'open'
    and o.ts_created > ${ctx.now - DISCLOSURE_RETENTION_MS}
    and not exists (select 1 from profile_like l where l.liker_id = ${me} and l.liked_id = ${otherId} and l.like_type = 'LIKE'
      and l.ts_created < o.ts_created)
    and not exists (${grant} and g.ts_created < o.ts_created and (g.ts_expires is null or g.ts_expires > ${ctx.now}))
    and (${first === "message" ? 1 : 0} or not exists (select 1 from message_pair w where w.low_id = min(${me}, ${otherId})
      and w.high_id = max(${me}, ${otherId}) and iif(w.low_id = ${me}, w.low_count, w.high_count) > 0)))`;
  return discloseQuery(
    ctx,
    "shown",
    { otherId },
    // The main database may learn of a first message after this.
    sql`${first === "message" ? sql`true` : showsThemselves(me, otherId, ctx.now)} and (${discreetly} ${first ? sql`or ${sinceOpen}` : sql``})`,
  );
}

/** For the batch of a first act, after it, of a viewer who is not discreet now; `updateShownTo` does it for one who is. */
export const discloseFirstQueries = (ctx: DiscloseContext, otherId: number, first: FirstAct): Query[] =>
  ctx.viewer.discreet || isFresh(ctx.viewer, ctx.now) ? [] : [discloseShownQuery(ctx, otherId, first)];

/** What was loosened: its fields that were, with their values before. */
interface Loosened {
  readonly stay: { readonly country: string; readonly shown?: "city"; readonly withdrawn?: 1; readonly muted?: 1 };
  readonly limits: Partial<FirstContact>;
  readonly health: Partial<Record<HealthField, Audience>>;
}

/** Before the act. After several, the value before the first counts; a fresh proof settles them. */
export function discloseLoosenedQuery<Kind extends keyof Loosened>(
  { db, viewer, now }: DiscloseContext,
  kind: Kind,
  former: Loosened[Kind],
): Query {
  const { profileId } = viewer;
  if (isFresh(viewer, now))
    return db.deleteFrom("disclosure").where("profile_id", "=", profileId).where("kind", "=", kind);
  return rawQuery(
    db,
    sql`insert into disclosure (profile_id, kind, former, ts_created) values (${profileId}, ${kind}, ${JSON.stringify(former)}, ${now})
      on conflict do update set ts_created = excluded.ts_created, former = iif(
        disclosure.former ->> 'country' is excluded.former ->> 'country', json_patch(excluded.former, disclosure.former), excluded.former)`,
  );
}

/** Of a picture in the private album, before it is moved to the public one. */
export const disclosePictureQuery = (ctx: DiscloseContext, id: number): Query =>
  discloseItemQuery(
    ctx,
    "picture",
    sql`select id from picture where id = ${id} and profile_id = ${ctx.viewer.profileId} and audience = 'private'`,
  );

/** Of a private introduction, before everybody can play it. */
export const discloseVoiceQuery = (ctx: DiscloseContext): Query =>
  discloseItemQuery(
    ctx,
    "voice",
    sql`select id from profile_voice where profile_id = ${ctx.viewer.profileId} and audience = 'private' and removed = 0`,
  );

function discloseItemQuery(
  { db, viewer, now }: DiscloseContext,
  kind: "picture" | "voice",
  items: RawBuilder<unknown>,
): Query {
  const { profileId } = viewer;
  return rawQuery(
    db,
    isFresh(viewer, now)
      ? sql`delete from disclosure where profile_id = ${profileId} and kind = ${kind} and item_id in (${items})`
      : sql`insert or replace into disclosure (profile_id, kind, item_id, ts_created)
          select ${profileId}, ${kind}, i.id, ${now} from (${items}) i`,
  );
}

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
