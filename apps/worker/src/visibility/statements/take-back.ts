import type { DisclosureKind } from "@lambda/contract/disclosures";
import { DISCLOSURE_RETENTION_MS } from "@lambda/contract/limits";
import type { FirstContact } from "@lambda/contract/messages";
import { type RawBuilder, sql } from "kysely";
import { type Database, type Query, rawQuery } from "../../platform/db/database.ts";
import { DOES_NOT_HIDE, SET_HIDDEN } from "../visibility.ts";
import { listShownQueries } from "./discreet.ts";

/**
 * Sets back what was loosened, each field only if it is still looser than it was.
 *
 * @param due `from` and `where` of the rows `disclosure d`
 */
function loosenedStatements(due: RawBuilder<unknown>, now: number): RawBuilder<unknown>[] {
  const rows = (kind: DisclosureKind) => sql`${due} and d.kind = ${kind}`;
  const members = (kind: DisclosureKind) => sql`(select d.profile_id from ${rows(kind)})`;
  const ofStay = sql`${rows("stay")} and d.profile_id = travel_stay.profile_id and d.former ->> 'country' = travel_stay.country`;
  const isMoved = sql`(select d.item_id from ${rows("picture")} and d.profile_id = profile.id)`;
  const list = (prefix: string, album: string) => sql.ref(`profile.${prefix}pics_${album}`);
  const albums = (["", "own_"] as const).flatMap((prefix) => [
    sql`${sql.ref(`${prefix}pics_public`)} = iif(${list(prefix, "public")} is null, null,
      (select json_group_array(o.value order by o.key) from json_each(${list(prefix, "public")}) o where o.value not in ${isMoved}))`,
    sql`${sql.ref(`${prefix}pics_private`)} = iif(${list(prefix, "private")} is null, null,
      (select json_group_array(o.value order by o.place) from (
        select value, key as place from json_each(${list(prefix, "private")})
        union all select value, key + 1000 from json_each(${list(prefix, "public")}) where value in ${isMoved}) o))`,
  ]);
  const rank = (audience: RawBuilder<unknown>) => sql`instr('nobody matches members', ${audience})`;
  const limit = (field: keyof FirstContact) => sql`d.former ->> ${`$.${field}`}`;
  const current = (field: keyof FirstContact) => sql`account.preferences ->> ${`$.firstContact.${field}`}`;
  const only = (field: keyof FirstContact) => sql`iif(${limit(field)}, json('true'), null)`;
  const least = (field: keyof FirstContact) => sql`max(${limit(field)}, ifnull(${current(field)}, 0))`;
  const most = (field: keyof FirstContact) => sql`min(${limit(field)}, ifnull(${current(field)}, ${limit(field)}))`;
  return [
    // What was published meanwhile may be finer than the stay allows; the next report is not.
    sql`update position set ts_effective_until = min(ts_effective_until, ${now}) where profile_id in (
      select travel_stay.profile_id from travel_stay where travel_stay.profile_id in ${members("stay")} and ts_left is null
        and shown = 'usual' and exists (select 1 from ${ofStay} and d.former ->> 'shown' = 'city'))`,
    sql`update travel_stay set (shown, pictures_withdrawn, muted) = (select iif(shown = 'usual', ifnull(d.former ->> 'shown', shown), shown),
        max(pictures_withdrawn, ifnull(d.former ->> 'withdrawn', 0)), max(muted, ifnull(d.former ->> 'muted', 0)) from ${ofStay})
      where profile_id in ${members("stay")} and ts_left is null and exists (select 1 from ${ofStay})`,
    sql`update profile set ${sql.join(albums)} where id in ${members("picture")}`,
    sql`update picture set audience = 'private', ts_updated = ${now}
      where (id, profile_id) in (select d.item_id, d.profile_id from ${rows("picture")}) and audience = 'public'`,
    sql`update profile_voice set audience = 'private' where (id, profile_id) in (select d.item_id, d.profile_id from ${rows("voice")})`,
    sql`update account set preferences = (select json_set(account.preferences, '$.firstContact', json_patch(
        json(ifnull(account.preferences -> '$.firstContact', '{}')), json_patch('{}', json_object(
          'matchesOnly', ${only("matchesOnly")}, 'checkedOnly', ${only("checkedOnly")}, 'ageMin', ${least("ageMin")},
          'ageMax', ${most("ageMax")}, 'distanceMaxMetres', ${most("distanceMaxMetres")}))))
        from ${rows("limits")} and d.profile_id = account.id)
      where id in ${members("limits")}`,
    sql`update health_panel set audiences = json_patch(audiences, (select json_group_object(f.key, f.value)
        from ${sql`disclosure d, json_each(d.former) f`} where d.id in (select d.id from ${rows("health")}) and d.profile_id = health_panel.profile_id
          and ${rank(sql`ifnull(health_panel.audiences ->> f.key, 'nobody')`)} > ${rank(sql`f.value`)}))
      where profile_id in ${members("health")}`,
  ];
}

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
    ...loosenedStatements(due, now),
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
