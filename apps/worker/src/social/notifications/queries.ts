import type { Notification, NotificationKind } from "@lambda/contract/notifications";
import { type Selectable, sql } from "kysely";
import { type Onlooker, tellable } from "../../members/visibility/visibility.ts";
import type { Database } from "../../platform/db/database.ts";
import type { NotificationTable } from "../../platform/db/tables.ts";

type Row = Pick<Selectable<NotificationTable>, "id" | "kind" | "body_text" | "url" | "ts_created">;

export async function listNotifications(
  db: Database,
  onlooker: Onlooker,
  before: number | undefined,
  size: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select n.id, n.kind, n.body_text, n.url, n.ts_created from notification n
    where n.profile_id = ${onlooker.viewer.profileId} and ${tellable(onlooker)}
      ${before === undefined ? sql`` : sql`and n.id < ${before}`}
    order by n.id desc limit ${size}`.execute(db);
  return rows;
}

/** Answers whether there was one of this member's. */
export async function deleteNotification(db: Database, profileId: number, id: number): Promise<boolean> {
  const rows = await db
    .deleteFrom("notification")
    .where("id", "=", id)
    .where("profile_id", "=", profileId)
    .returning("id")
    .execute();
  return rows.length > 0;
}

export async function getKindsOff(db: Database, profileId: number): Promise<NotificationKind[]> {
  const { preferences } = await db
    .selectFrom("account")
    .select("preferences")
    .where("id", "=", profileId)
    .executeTakeFirstOrThrow();
  return (JSON.parse(preferences) as { notificationsOff?: NotificationKind[] }).notificationsOff ?? [];
}

/** Writes its own key, so that other preferences saved at the same moment stay. */
export async function updateKindsOff(db: Database, profileId: number, off: readonly NotificationKind[]): Promise<void> {
  await sql`update account set preferences = json_set(preferences, '$.notificationsOff', json(${JSON.stringify(off)}))
    where id = ${profileId}`.execute(db);
}

/** Run by schedule: what nobody looked at for months. In portions, so that no statement holds the database for long. */
export async function deleteOldNotifications(db: Database, before: number): Promise<void> {
  await sql`delete from notification where id in (select id from notification where ts_created < ${before} order by id limit 5000)`.execute(
    db,
  );
}

export function toNotification(row: Row): Notification {
  return {
    id: row.id,
    kind: row.kind as NotificationKind,
    bodyText: row.body_text,
    url: row.url,
    tsCreated: new Date(row.ts_created).toISOString(),
  };
}
