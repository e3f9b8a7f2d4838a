/** The textual record of a case that a hold keeps: the reported account, what was filed, and what was frozen. */
import type { Database } from "../../platform/db/database.ts";

/** Reads the current record of a case. Throws if there is no such case. */
export async function readHoldRecord(db: Database, reportId: number) {
  const report = await db.selectFrom("report").selectAll().where("id", "=", reportId).executeTakeFirstOrThrow();
  const [account, sessions, filings, evidence, actions] = await Promise.all([
    db
      .selectFrom("account as a")
      .innerJoin("profile as p", "p.id", "a.id")
      .select(["a.id", "a.email", "a.email_pending", "a.name", "a.home_brand", "a.locale", "a.network"])
      .select(["a.ts_created", "a.ts_deleted", "p.profile_name", "p.birthdate", "p.status", "p.ts_seen"])
      .where("a.id", "=", report.subject_id)
      .executeTakeFirst(),
    db
      .selectFrom("session")
      .select(["brand", "device_label", "ts_created", "ts_last_used"])
      .where("account_id", "=", report.subject_id)
      .orderBy("id")
      .execute(),
    db
      .selectFrom("report_filing")
      .select(["id", "reporter_id", "category", "source", "text", "ts_created"])
      .where("report_id", "=", reportId)
      .orderBy("ts_created")
      .execute(),
    db.selectFrom("evidence").selectAll().where("report_id", "=", reportId).orderBy("ts_source").execute(),
    db
      .selectFrom("moderation_action")
      .select(["kind", "rule", "reason", "ts_created", "ts_until", "ts_lifted"])
      .where("report_id", "=", reportId)
      .orderBy("ts_created")
      .execute(),
  ]);
  const pictures = await listOriginals(db, evidence);
  return { report, account: account && { ...account, sessions }, filings, evidence, actions, pictures };
}
export type HoldRecord = Awaited<ReturnType<typeof readHoldRecord>>;

/** Lists the stored originals of the pictures in evidence, as far as they still exist. */
async function listOriginals(
  db: Database,
  evidence: readonly { kind: string; source_id: number; author_id: number }[],
) {
  const ids = evidence.filter(({ kind }) => kind === "picture").map(({ source_id }) => source_id);
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("picture")
    .select(["id", "profile_id", "version", "audience", "width", "height", "ts_created", "ts_updated"])
    .where("id", "in", ids)
    .execute();
  return rows.filter(({ id, profile_id }) =>
    evidence.some(({ source_id, author_id }) => source_id === id && author_id === profile_id),
  );
}
