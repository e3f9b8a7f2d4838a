import {
  EXPOSURE_ALL_MAX,
  EXPOSURE_CONTACT_MS,
  EXPOSURE_PARTNER_AGE_MS,
  EXPOSURE_PARTNERS_MIN,
} from "@lambda/contract/limits";
import { sql } from "kysely";
import { type Contact, hasContacts, listContacts } from "../../messaging/messages/mutual-messages.ts";
import type { Env } from "../../platform/env.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { notBlocked, visibleTo } from "../../visibility/visibility.ts";

/** Chat partners visible to the member now, latest first. */
export function listPartners(
  ctx: MemberContext,
  { among, limit }: { among?: readonly number[]; limit: number },
): Promise<Contact[]> {
  const isAmong = among ? sql<boolean>`c.other_id in (${sql.join(among)})` : sql<boolean>`true`;
  const where = sql<boolean>`(${visibleTo(ctx)} and ${isAmong})`;
  return listContacts(ctx, { since: ctx.now - EXPOSURE_CONTACT_MS, limit, where });
}

/** Ids of all partners since a time, for internal use: includes hidden members, excludes blocked ones. */
export async function listPartnersSince(ctx: MemberContext, since: number): Promise<number[]> {
  const where = notBlocked(ctx.viewer.profileId, sql.ref("c.other_id"));
  const partners = await listContacts(ctx, { since, limit: EXPOSURE_ALL_MAX, where, lastSince: true });
  return partners.map(({ id }) => id);
}

/**
 * Whether a member had enough recent partners that a notice does not reveal its sender. Unanswered openings and new accounts do not count, nor
 * do they take the places of those who do.
 */
export function hasEnoughPartners(env: Env, member: number, now: number): Promise<boolean> {
  const where = sql<boolean>`exists (select 1 from account a
    where a.id = c.other_id and a.ts_created <= ${now - EXPOSURE_PARTNER_AGE_MS})`;
  return hasContacts(env, member, {
    since: now - EXPOSURE_CONTACT_MS,
    limit: EXPOSURE_PARTNERS_MIN,
    where,
  });
}
