import type { MemberEntry, MemberFile } from "@lambda/contract/admin";
import { nameProblem, nameSkeleton } from "@lambda/contract/names";
import { sql } from "kysely";
import type { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { withAudit } from "../audit/log.ts";
import { iso, toActionEntry } from "./queue.ts";
import { brandInScope, isNetworkAdmin, mayActOn, memberInScope } from "./scope.ts";

const FOUND_MAX = 25;
/** Profiles looked at for a name: names have no index, as members are looked up by id or address first. */
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
 * By id, by address, or by the beginning of a profile name among the newest members. An address tells its owner to the
 * home brand and to the network alone, and each look-up by one is logged.
 */
export async function findMembers(ctx: MemberContext, text: string): Promise<z.output<typeof MemberEntry>[]> {
  const wanted = text.trim();
  if (wanted === "") return [];
  let query = selectMembers(ctx).limit(FOUND_MAX);
  const byAddress = wanted.includes("@");
  if (/^\d+$/.test(wanted)) query = query.where("p.id", "=", Number(wanted));
  else if (byAddress) {
    query = query.where("a.email", "=", wanted.toLowerCase());
    if (!isNetworkAdmin(ctx)) query = query.where("a.home_brand", "=", ctx.brand.id);
  } else {
    query = query
      .where(sql<boolean>`p.id > (select coalesce(max(id), 0) - ${sql.lit(NAMES_READ)} from profile)`)
      .where(sql<boolean>`instr(lower(p.profile_name), lower(${wanted})) > 0`)
      .orderBy("p.id", "desc");
  }
  const rows = await query.execute();
  if (byAddress) for (const { id } of rows) await logViewing(ctx, id);
  return rows.map((row) => toMemberEntry(ctx, row));
}

/** One member's file. Each view is logged: staff answer for their curiosity. */
export async function readMemberFile(ctx: MemberContext, id: number): Promise<z.output<typeof MemberFile>> {
  const row = await selectMembers(ctx).where("p.id", "=", id).executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND");
  const [actions, reports, twins] = await Promise.all([
    ctx.db
      .selectFrom("moderation_action")
      .selectAll()
      .where("profile_id", "=", id)
      .where(brandInScope(ctx, "brand"))
      .orderBy("id", "desc")
      .limit(100)
      .execute(),
    ctx.db
      .selectFrom("report")
      .select("id")
      .where("subject_id", "=", id)
      .where(brandInScope(ctx, "brand"))
      .orderBy("id", "desc")
      .limit(100)
      .execute(),
    listSameLookingNames(ctx, row),
    logViewing(ctx, id),
  ]);
  // Staff of a sister brand do not see the address and the real name.
  const own = row.home_brand === ctx.brand.id || isNetworkAdmin(ctx);
  return {
    ...toMemberEntry(ctx, row),
    email: own ? row.email : "",
    realName: own ? row.name : "",
    twinIds: twins.map((twin) => twin.id),
    claimsToBeStaff: nameProblem(row.profile_name) === "reserved",
    tsSeen: iso(row.ts_seen),
    actions: actions.map(toActionEntry),
    reportIds: reports.map((report) => report.id),
  };
}

/** Members whose names look the same: one of them may pass for the other. */
function listSameLookingNames(ctx: MemberContext, row: Pick<Row, "id" | "profile_name">) {
  const skeleton = nameSkeleton(row.profile_name);
  return selectMembers(ctx)
    .where("p.name_skeleton", "=", skeleton)
    .where("p.name_skeleton", "<>", "")
    .where("p.id", "<>", row.id)
    .orderBy("p.id")
    .limit(FOUND_MAX)
    .execute();
}

function logViewing(ctx: MemberContext, subjectId: number): Promise<unknown> {
  return withAudit(
    ctx,
    [],
    [
      {
        brand: ctx.brand.id,
        action: "staff.member_viewed",
        by: "staff",
        caseRef: null,
        details: {},
        subjectId,
        actorId: ctx.viewer.profileId,
      },
    ],
  );
}

function toMemberEntry(ctx: MemberContext, row: Row): z.output<typeof MemberEntry> {
  return {
    id: row.id,
    name: row.profile_name,
    homeBrand: row.home_brand,
    status: row.status,
    tsStatusUntil: row.ts_status_until === null ? null : iso(row.ts_status_until),
    manageable: mayActOn(ctx, row, true),
    isTest: row.is_test === 1,
    tsCreated: iso(row.ts_created),
  };
}
