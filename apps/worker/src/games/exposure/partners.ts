import {
  EXPOSURE_ALL_MAX,
  EXPOSURE_CONTACT_MS,
  EXPOSURE_MESSAGES_EACH_MIN,
  EXPOSURE_PARTNER_AGE_MS,
  EXPOSURE_PARTNERS_MIN,
} from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { isWrittenSince, listMutualPairs, wroteToEachOther } from "../../messaging/messages/mutual-messages.ts";
import type { Database } from "../../platform/db/database.ts";
import { firstIdAt, type Shards } from "../../platform/db/shards.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { firstPictureOf, notBlocked, visibleTo } from "../../visibility/visibility.ts";

export interface Partner {
  readonly id: number;
  readonly profile_name: string;
  readonly picture_id: number | null;
}

/** Latest conversations in message databases read to find partners. */
const SHARD_CONVERSATIONS_READ_MAX = 500;

/** Chat partners visible to the member now, latest first. */
export function listPartners(
  ctx: MemberContext,
  { among, limit }: { among?: readonly number[]; limit: number },
): Promise<Partner[]> {
  const isAmong = among ? sql<boolean>`c.other_id in (${sql.join(among)})` : sql<boolean>`true`;
  const where = sql<boolean>`(${visibleTo(ctx)} and ${isAmong})`;
  return listContacts(ctx, { since: ctx.now - EXPOSURE_CONTACT_MS, limit, inMain: where, inShards: where });
}

/** Ids of all partners since a time, for internal use: includes hidden members, excludes blocked ones. */
export async function listPartnersSince(ctx: MemberContext, since: number): Promise<number[]> {
  const isUnblocked = notBlocked(ctx.viewer.profileId, sql.ref("c.other_id"));
  const inMain = sql<boolean>`(${isWrittenSince(sql.ref("c.last_message_id"), since)} and ${isUnblocked})`;
  const inShards = sql<boolean>`(c.last_message_id >= ${firstIdAt(since)} and ${isUnblocked})`;
  return (await listContacts(ctx, { since, limit: EXPOSURE_ALL_MAX, inMain, inShards })).map(({ id }) => id);
}

interface Wanted {
  readonly since: number;
  readonly limit: number;
  /** Conditions on `conversation c` and the other's `profile p`. */
  readonly inMain: RawBuilder<boolean>;
  readonly inShards: RawBuilder<boolean>;
}

/** Members with whom the viewer wrote enough, in both directions, since a time; the latest first. */
async function listContacts(ctx: MemberContext, { since, limit, inMain, inShards }: Wanted): Promise<Partner[]> {
  const { db, viewer, shards } = ctx;
  const partner = ["p.id", "p.profile_name", firstPictureOf("p").as("picture_id")] as const;
  const rows = db
    .selectFrom("conversation as c")
    .innerJoin("profile as p", "p.id", "c.other_id")
    .select([...partner, "c.last_message_id"])
    .where("c.profile_id", "=", viewer.profileId)
    .where(inMain)
    .where(wroteToEachOther(sql.ref("c.profile_id"), sql.ref("c.other_id"), since))
    .orderBy("c.last_message_id", "desc")
    .limit(limit);
  if (shards.numbers.length === 0) return rows.execute();
  const candidates = shardConversations(db, viewer.profileId)
    .innerJoin("profile as p", "p.id", "c.other_id")
    .select(partner)
    .where(inShards);
  const [own, others] = await Promise.all([rows.execute(), candidates.execute()]);
  const all = [...own, ...(await listMutualPairs(shards, others, since))];
  return all.sort((one, other) => other.last_message_id - one.last_message_id).slice(0, limit);
}

/** A member's conversations in message databases in which both members wrote enough at some time, latest first. */
const shardConversations = (db: Database, profileId: number) =>
  conversationsOfBoth(db, profileId).where("t.shard", ">", 0).limit(SHARD_CONVERSATIONS_READ_MAX);

function conversationsOfBoth(db: Database, profileId: number) {
  return db
    .selectFrom("conversation as c")
    .innerJoin("message_pair as t", (join) =>
      join
        .on("t.low_id", "=", sql<number>`min(c.profile_id, c.other_id)`)
        .on("t.high_id", "=", sql<number>`max(c.profile_id, c.other_id)`),
    )
    .select(["c.profile_id", "c.other_id", "c.last_message_id", "t.shard"])
    .where("c.profile_id", "=", profileId)
    .where("t.low_count", ">=", EXPOSURE_MESSAGES_EACH_MIN)
    .where("t.high_count", ">=", EXPOSURE_MESSAGES_EACH_MIN)
    .orderBy("c.last_message_id", "desc");
}

/**
 * Whether a member had enough recent partners that a notice does not reveal its sender. Unanswered openings and new accounts do not count, nor
 * do they take the places of those who do.
 */
export async function hasEnoughPartners(shards: Shards, member: number, now: number): Promise<boolean> {
  const since = now - EXPOSURE_CONTACT_MS;
  const { db } = shards.open(0);
  const isOldAccount = sql<boolean>`exists (select 1 from account a
    where a.id = c.other_id and a.ts_created <= ${now - EXPOSURE_PARTNER_AGE_MS})`;
  const inMain = await conversationsOfBoth(db, member)
    .where("t.shard", "=", 0)
    .where(isOldAccount)
    .where(wroteToEachOther(sql.ref("c.profile_id"), sql.ref("c.other_id"), since))
    .limit(EXPOSURE_PARTNERS_MIN)
    .execute();
  if (inMain.length >= EXPOSURE_PARTNERS_MIN || shards.numbers.length === 0)
    return inMain.length >= EXPOSURE_PARTNERS_MIN;
  const inShards = await shardConversations(db, member).where(isOldAccount).execute();
  return inMain.length + (await listMutualPairs(shards, inShards, since)).length >= EXPOSURE_PARTNERS_MIN;
}
