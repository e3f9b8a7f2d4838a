import type { AuditLine, ContactEntry } from "@lambda/contract/admin";
import { AUDIT_PAGE_SIZE, QUEUE_PAGE_SIZE } from "@lambda/contract/limits";
import type { AuditBody } from "@lambda/contract/transparency";
import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../platform/errors.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { brandInScope, isNetworkAdmin, isNoticeAbout } from "./scope.ts";

/** Lists the audit log with actors and subjects, newest first; `before` is the cursor. */
export async function listAudit(ctx: MemberContext, before?: number): Promise<z.output<typeof AuditLine>[]> {
  let query = ctx.db
    .selectFrom("audit_entry as e")
    .leftJoin("audit_private as p", "p.seq", "e.seq")
    .leftJoin("account as a", "a.id", "p.actor_id")
    .select(["e.seq", "e.ts", "e.brand", "e.action", "e.case_ref", "e.body", "e.hash", "p.subject_id", "a.name"])
    .orderBy("e.seq", "desc")
    .limit(AUDIT_PAGE_SIZE);
  if (!isNetworkAdmin(ctx)) query = query.where("e.brand", "=", ctx.brand.id);
  // What is not public yet of a case or notice about the admin, whose entries do not all name a subject, and who looked at their file.
  const me = sql.lit(ctx.viewer.profileId);
  const own = sql`(select case_ref from report where subject_id = ${me}
    union all select n.case_ref from notice n where ${isNoticeAbout(me)})`;
  query =
    query.where(sql<boolean>`(p.subject_id is not ${me} and ifnull(ifnull(e.case_ref, e.body ->> '$.details.case') not in ${own}, 1)
    or (e.case_ref is not null and exists (select 1 from public_entry o where o.entry_seq = e.seq)))`);
  if (before !== undefined) query = query.where("e.seq", "<", before);
  return (await query.execute()).map((row) => {
    const body = JSON.parse(row.body) as AuditBody;
    return {
      seq: row.seq,
      ts: toIso(row.ts),
      brand: row.brand,
      action: row.action,
      by: body.by,
      caseRef: row.case_ref,
      subjectProfileId: row.subject_id,
      actorName: row.name,
      details: Object.entries(body.details)
        .filter(([, value]) => value !== null)
        .map(([key, value]) => `${key} ${value}`)
        .join(", "),
      hash: row.hash,
    };
  });
}

/** The first message of each member, then the second; visitors', who have no name, count as one member's. */
const openPage = (ctx: MemberContext) => sql<number>`(select o.id from (
  select id, row_number() over (partition by profile_id order by id) as nth
  from contact_message where ts_done is null and ${brandInScope(ctx, "brand")}) o
  order by o.nth, o.id limit ${QUEUE_PAGE_SIZE})`;

/** Lists open or closed messages from the contact and problem forms of this brand, newest first. Of more than a page of open ones, the oldest. */
export async function listContactMessages(ctx: MemberContext, done: boolean): Promise<z.output<typeof ContactEntry>[]> {
  const rows = await ctx.db
    .selectFrom("contact_message as m")
    .selectAll()
    .where(brandInScope(ctx, "m.brand"))
    .where("m.ts_done", done ? "is not" : "is", null)
    .$if(!done, (query) => query.where("m.id", "in", openPage(ctx)))
    .orderBy("m.id", "desc")
    .limit(QUEUE_PAGE_SIZE)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    profileId: row.profile_id,
    brand: row.brand,
    name: row.name,
    message: row.message,
    tsCreated: toIso(row.ts_created),
    tsDone: toIsoOrNull(row.ts_done),
  }));
}

export async function closeContactMessage(ctx: MemberContext, id: number): Promise<void> {
  await ctx.db
    .updateTable("contact_message")
    .set({ ts_done: ctx.now })
    .where("id", "=", id)
    .where(brandInScope(ctx, "brand"))
    .returning("id")
    .executeTakeFirstOrThrow(notFound);
}
