import type { DisclosureKind } from "@lambda/contract/disclosures";
import { DISCLOSURE_RETENTION_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { type Database, type Query, rawQuery } from "../../platform/db/database.ts";
import { DOES_NOT_HIDE, SET_HIDDEN } from "../visibility.ts";
import { listShownQueries } from "./discreet.ts";

/**
 * Queries that take back what the accounts disclosed in the last 30 days, except the kept rows. Their members see and are seen by fewer
 * afterwards, nobody by more.
 *
 * @param accounts in parentheses, one id or a subquery, because a lock-down must not tell by its statements whom it concerns
 */
export function takeBackQueries(
  db: Database,
  accounts: RawBuilder<unknown>,
  {
    now,
    kept = [],
    settles = false,
  }: { readonly now: number; readonly kept?: readonly number[]; readonly settles?: boolean },
): Query[] {
  const isDue = (row: string) => sql`${sql.ref(`${row}.ts_created`)} > ${now - DISCLOSURE_RETENTION_MS}
    and ${sql.ref(`${row}.id`)} not in (select value from json_each(${JSON.stringify(kept)}))`;
  const due = sql`disclosure d where d.profile_id in ${accounts} and ${isDue("d")}`;
  const pairs = (kind: DisclosureKind) => sql`(select d.profile_id, d.other_id from ${due} and d.kind = ${kind})`;
  const members = (kind: DisclosureKind) => sql`(select d.profile_id from ${due} and d.kind = ${kind})`;
  // Below, a discretion that was ended returns.
  const isDiscreet = sql`(exists (select 1 from profile p where p.id = d.profile_id and p.discreet_on <> 0)
    or exists (select 1 from disclosure o where o.profile_id = d.profile_id and o.kind = 'open' and ${isDue("o")}))`;
  // What was written cannot be unread, so only a block ends that a discreet member is seen by whom they wrote to.
  const isBlocked = sql`(d.kind = 'unblocked' or d.kind = 'shown' and ${isDiscreet}
    and exists (select 1 from message_pair w where w.low_id = min(d.profile_id, d.other_id) and w.high_id = max(d.profile_id, d.other_id)
      and iif(w.low_id = d.profile_id, w.low_count, w.high_count) > 0))`;
  const blocked = sql`(select d.profile_id, d.other_id from ${due} and ${isBlocked})`;
  const statements = [
    sql`delete from album_grant where (owner_id, member_id) in ${pairs("album")} and state = 'granted'`,
    sql`delete from album_grant where (owner_id, member_id) in ${blocked}`,
    sql`delete from notification where (profile_id, about_id) in ${blocked}`,
    sql`insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created)
      select d.profile_id, d.other_id, 1, 0, ${now} from ${due} and ${isBlocked}
      on conflict do update set blocked_by_profile = 1, ts_created = ${now} where blocked_by_profile = 0`,
    sql`insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created)
      select d.other_id, d.profile_id, 0, 1, ${now} from ${due} and ${isBlocked}
      on conflict do update set blocked_by_other = 1 where blocked_by_other = 0`,
    sql`update profile_like set like_type = 'UNDETERMINED', ts_created = ${now}
      where (liker_id, liked_id) in ${pairs("shown")} and like_type = 'LIKE'`,
    sql`delete from shown_to where (profile_id, viewer_id) in ${pairs("shown")}`,
    sql`update profile set (shared_on, discreet_on) = (select profile.shared_on & ~ifnull(sum(d.bit), 0), profile.discreet_on & ~ifnull(sum(d.bit), 0)
      from ${due} and d.kind = 'shared' and d.profile_id = profile.id) where id in ${members("shared")}`,
    // A stay may hide the member meanwhile, and its end must not show them.
    sql`update travel_stay set hid_member = 0 where profile_id in ${members("unhidden")}`,
    sql`update profile set discreet_on = shared_on, shared_on = 0 where id in ${members("open")} and discreet_on = 0`,
  ];
  return [
    ...statements.map((statement) => rawQuery(db, statement)),
    ...listShownQueries(db, members("open")),
    db
      .updateTable("profile")
      .set(SET_HIDDEN)
      .where(sql<boolean>`id in ${members("unhidden")}`)
      .where(DOES_NOT_HIDE),
    rawQuery(
      db,
      settles
        ? sql`delete from disclosure where profile_id in ${accounts}`
        : sql`delete from disclosure where id in (select d.id from ${due})`,
    ),
  ];
}
