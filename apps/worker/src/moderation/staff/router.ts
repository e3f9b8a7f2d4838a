import { BRANDS } from "@lambda/brands";
import {
  ActionDraft,
  ActionEntry,
  AuditLine,
  CaseFile,
  ContactEntry,
  CreateTestUsersRequest,
  ExplicitShare,
  MemberEntry,
  MemberFile,
  QueueEntry,
  RoleCount,
} from "@lambda/contract/admin";
import type { Role } from "@lambda/contract/capabilities";
import { STAFF_REASON_MIN_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { PersonCheckCase, PersonCheckDecision } from "@lambda/contract/person-check";
import { BooleanInput, Id, numeric } from "@lambda/contract/primitives";
import { HEALTH_RANGES, SiteHealth } from "@lambda/contract/site-health";
import { z } from "zod";
import { toIso } from "../../platform/iso-time.ts";
import { readSiteHealth } from "../../platform/metrics/health.ts";
import { adminCommand, adminList, adminProcedure, type MemberContext, router } from "../../platform/trpc.ts";
import { actOnMember, decideAppeal, dismissCase, endAction } from "./act.ts";
import { listExplicitShares } from "./explicit-share.ts";
import { holdsRouter } from "./holds/router.ts";
import { closeContactMessage, listAudit, listContactMessages } from "./log.ts";
import { readMemberFile, searchMembers } from "./members.ts";
import { openingRouter } from "./opening/router.ts";
import { decidePersonCheck, listPersonChecks } from "./person-checks.ts";
import { listQueue, readCaseFile } from "./queue.ts";
import { isNetworkAdmin } from "./scope.ts";
import { createTestUsers } from "./test-users.ts";

export const adminRouter = router({
  holds: holdsRouter,
  opening: openingRouter,

  userRoleCounts: adminList("GET /admin/dashboard/userRoleCounts", "Members by role", RoleCount).query(
    async ({ ctx }) => ({ items: await countRoles(ctx) }),
  ),

  explicitShare: adminList(
    "GET /admin/dashboard/explicitShare",
    "The share of explicit pictures by brand and country, as of last night",
    ExplicitShare,
  ).query(async ({ ctx }) => {
    const brands = isNetworkAdmin(ctx) ? BRANDS.map(({ id }) => id) : [ctx.brand.id];
    const rows = await listExplicitShares(ctx.db, brands);
    return { items: rows.map(({ ts_counted, ...row }) => ({ ...row, tsCounted: toIso(ts_counted) })) };
  }),

  siteHealth: adminProcedure(
    "GET /admin/dashboard/siteHealth",
    "Site-wide requests, errors, latencies, queues and mail, and the alerts sent to the operator",
  )
    .input(z.object({ range: z.enum(HEALTH_RANGES).default("day") }))
    .output(SiteHealth)
    .query(({ ctx, input }) => readSiteHealth(ctx.env, input.range, ctx.now)),

  /** Not available in production. */
  testUsersCreate: adminProcedure(
    "POST /admin/testUsersCreate/{count}",
    "Create test members near the brand's first city",
  )
    .input(CreateTestUsersRequest)
    .output(z.object({ created: z.number().int() }))
    .mutation(async ({ ctx, input }) => ({ created: await createTestUsers(ctx, input.count) })),

  queue: adminList("GET /admin/reports", "Cases by severity and credibility", QueueEntry)
    .input(z.object({ view: z.enum(["staff", "jury", "appeals", "decided"]).default("staff") }))
    .query(async ({ ctx, input }) => ({ items: await listQueue(ctx, input.view) })),

  case: adminProcedure("GET /admin/report/{id}", "A case with its evidence")
    .input(z.object({ id: Id }))
    .output(CaseFile)
    .query(({ ctx, input }) => readCaseFile(ctx, input.id)),

  act: adminProcedure("POST /admin/action", "Warn, hide a picture, suspend or ban")
    .input(ActionDraft)
    .output(ActionEntry)
    .mutation(({ ctx, input }) => actOnMember(ctx, input)),

  dismiss: adminCommand("POST /admin/report/{id}/dismiss", "Close a case without action")
    .input(z.object({ id: Id, reason: z.string().trim().min(STAFF_REASON_MIN_CHARS).max(TEXT_MAX_CHARS) }))
    .mutation(({ ctx, input }) => dismissCase(ctx, input.id, input.reason)),

  lift: adminCommand("POST /admin/action/{id}/lift", "End an action before its time")
    .input(z.object({ id: Id }))
    .mutation(({ ctx, input }) => endAction(ctx, input.id)),

  decideAppeal: adminCommand("POST /admin/report/{id}/appeal", "Decide an appeal that staff must decide")
    .input(z.object({ id: Id, reversed: BooleanInput }))
    .mutation(({ ctx, input }) => decideAppeal(ctx, input.id, input.reversed)),

  personChecks: adminList("GET /admin/person-checks", "Checks that players did not decide", PersonCheckCase).query(
    async ({ ctx }) => ({ items: await listPersonChecks(ctx) }),
  ),

  decidePersonCheck: adminCommand("POST /admin/person-check", "Staff's verdict, which deletes the stills")
    .input(PersonCheckDecision)
    .mutation(({ ctx, input }) => decidePersonCheck(ctx, input.profileId, input.answer)),

  members: adminList("GET /admin/members", "Look a member up by id, address or name", MemberEntry)
    .input(z.object({ text: z.string().max(254) }))
    .query(async ({ ctx, input }) => ({ items: await searchMembers(ctx, input.text) })),

  member: adminProcedure("GET /admin/member/{id}", "A member's file; each view is logged")
    .input(z.object({ id: Id }))
    .output(MemberFile)
    .query(({ ctx, input }) => readMemberFile(ctx, input.id)),

  contact: adminList("GET /admin/contact-messages", "Support and contact messages", ContactEntry)
    .input(z.object({ done: BooleanInput.default(false) }))
    .query(async ({ ctx, input }) => ({ items: await listContactMessages(ctx, input.done) })),

  closeContact: adminCommand("POST /admin/contact-message/{id}/done", "Mark a message as dealt with")
    .input(z.object({ id: Id }))
    .mutation(({ ctx, input }) => closeContactMessage(ctx, input.id)),

  audit: adminProcedure("GET /admin/audit", "The audit log, newest first", { list: true })
    .input(z.object({ cursor: numeric(z.number().int().positive()).optional() }))
    .output(z.object({ items: z.array(AuditLine), nextCursor: z.number().optional() }))
    .query(async ({ ctx, input }) => {
      const items = await listAudit(ctx, input.cursor);
      return { items, nextCursor: items.at(-1)?.seq };
    }),
});

/** Counts the members and admins of this brand. Cheap at any size: reads a counter and the few admin rows. */
async function countRoles(ctx: MemberContext): Promise<{ role: Role; count: number }[]> {
  const { users, admins } = await ctx.db
    .selectNoFrom((eb) => [
      eb.selectFrom("member_count").select("members").where("brand", "=", ctx.brand.bit).as("users"),
      eb
        .selectFrom("account")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("admin_brand", "is not", null)
        .where("admin_brand", "in", [ctx.brand.id, "*"])
        .where("ts_deleted", "is", null)
        .as("admins"),
    ])
    .executeTakeFirstOrThrow();
  return [
    { role: "USER", count: users ?? 0 },
    { role: "ADMIN", count: admins ?? 0 },
  ];
}
