import type { MemberEntry, MemberFile } from "@lambda/contract/admin";
import { findNameProblem, nameSkeleton } from "@lambda/contract/names";
import { asAddress } from "@lambda/contract/typed";
import { sql } from "kysely";
import type { z } from "zod";
import { mailboxOf } from "../../accounts/mailbox.ts";
import { containsText } from "../../platform/db/contains-text.ts";
import { notFound } from "../../platform/errors.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { staffEvent, withAudit } from "../audit/log.ts";
import { toActionEntry } from "./queue.ts";
import { brandInScope, canActOn, caseInScope, isNetworkAdmin, memberInScope } from "./scope.ts";

const RESULTS_MAX = 25;
/** Newest profiles scanned for a name. Names have no index, since members are mostly looked up by id or address. */
const NAMES_READ = 20_000;

function selectMembers(ctx: MemberContext) {
  return ctx.db
    .selectFrom("profile as p")
    .innerJoin("account as a", "a.id", "p.id")
    .select(["p.id", "p.profile_name", "a.email", "a.name", "a.home_brand", "a.admin_brand", "p.status"])
    .select(["p.ts_status_until", "a.is_test", "a.ts_created", "p.ts_seen"])
    .where(memberInScope(ctx));
}
type Row = Awaited<ReturnType<ReturnType<typeof selectMembers>["executeTakeFirstOrThrow"]>>;

/**
 * Searches by id, by any spelling of an email address, or by part of a profile name among the newest members. Only admins of the home
 * brand or the network find a member by address, and each such lookup is logged.
 */
export async function searchMembers(ctx: MemberContext, text: string): Promise<z.output<typeof MemberEntry>[]> {
  const query = text.trim();
  if (query === "") return [];
  let select = selectMembers(ctx).limit(RESULTS_MAX);
  const byAddress = query.includes("@");
  if (/^\d+$/.test(query)) select = select.where("p.id", "=", Number(query));
  else if (byAddress) {
    const email = asAddress(query);
    select = select.where((eb) => eb.or([eb("a.email", "=", email), eb("a.mailbox", "=", mailboxOf(email))]));
    if (!isNetworkAdmin(ctx)) select = select.where("a.home_brand", "=", ctx.brand.id);
  } else {
    select = select
      .where(sql<boolean>`p.id > (select coalesce(max(id), 0) - ${sql.lit(NAMES_READ)} from profile)`)
      .where(containsText(sql.ref("p.profile_name"), query))
      .orderBy("p.id", "desc");
  }
  const rows = await select.execute();
  if (byAddress) for (const { id } of rows) await logView(ctx, id);
  return rows.map((row) => toMemberEntry(ctx, row));
}

/** Reads a member's file. Each view is logged, so that staff are accountable for what they look at. */
export async function readMemberFile(ctx: MemberContext, id: number): Promise<z.output<typeof MemberFile>> {
  const row = await selectMembers(ctx).where("p.id", "=", id).executeTakeFirstOrThrow(notFound);
  const [actions, reports, twins] = await Promise.all([
    ctx.db
      .selectFrom("moderation_action")
      .selectAll()
      .where("profile_id", "=", id)
      .where(brandInScope(ctx, "brand"))
      .orderBy("ts_created", "desc")
      .limit(100)
      .execute(),
    ctx.db
      .selectFrom("report as r")
      .select("r.id")
      .where("r.subject_id", "=", id)
      .where(caseInScope(ctx))
      .orderBy("r.ts_created", "desc")
      .limit(100)
      .execute(),
    listLookalikeNames(ctx, row),
    logView(ctx, id),
  ]);
  // Staff of a sister brand see neither the address nor the real name.
  const isHomeStaff = row.home_brand === ctx.brand.id || isNetworkAdmin(ctx);
  return {
    ...toMemberEntry(ctx, row),
    email: isHomeStaff ? row.email : "",
    realName: isHomeStaff ? row.name : "",
    twinIds: twins.map((twin) => twin.id),
    claimsToBeStaff: findNameProblem(row.profile_name) === "reserved",
    tsSeen: toIso(row.ts_seen),
    actions: actions.map(toActionEntry),
    reportIds: reports.map((report) => report.id),
  };
}

/** Lists members whose names look the same, since one may impersonate the other. */
function listLookalikeNames(ctx: MemberContext, row: Pick<Row, "id" | "profile_name">) {
  const skeleton = nameSkeleton(row.profile_name);
  return selectMembers(ctx)
    .where("p.name_skeleton", "=", skeleton)
    .where("p.name_skeleton", "<>", "")
    .where("p.id", "<>", row.id)
    .orderBy("p.id")
    .limit(RESULTS_MAX)
    .execute();
}

/** For every response with an address or a real name. */
export function logView(ctx: MemberContext, subjectId: number): Promise<unknown> {
  return withAudit(ctx, [], [staffEvent(ctx, "staff.member_viewed", { subjectId })]);
}

function toMemberEntry(ctx: MemberContext, row: Row): z.output<typeof MemberEntry> {
  return {
    id: row.id,
    name: row.profile_name,
    homeBrand: row.home_brand,
    status: row.status,
    tsStatusUntil: toIsoOrNull(row.ts_status_until),
    manageable: canActOn(ctx, row, true),
    isTest: row.is_test === 1,
    tsCreated: toIso(row.ts_created),
  };
}
