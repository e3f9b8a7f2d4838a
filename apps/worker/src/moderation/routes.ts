/** Bytes of frozen pictures: for jurors of an open jury on the case, and for staff in whose scope the case is. */
import { can } from "@lambda/contract/capabilities";
import { Id } from "@lambda/contract/primitives";
import { Hono } from "hono";
import type { Context } from "../platform/context.ts";
import { AppError } from "../platform/errors.ts";
import { errorResponse } from "../platform/http/error-response.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { withAudit } from "./audit/log.ts";
import { findJurorEvidence } from "./jury/inbox.ts";
import { brandInScope } from "./staff/scope.ts";

export const evidenceRoutes = new Hono<{ Variables: { ctx: Context } }>();

evidenceRoutes.get("/evidence/:id", async (c) => {
  const ctx = c.get("ctx");
  const { viewer } = ctx;
  if (!viewer) throw new AppError("NOT_LOGGED_IN");
  if (viewer.status !== "active") throw new AppError("SUSPENDED");
  const id = Id.safeParse(c.req.param("id"));
  if (!id.success) throw new AppError("NOT_FOUND");
  const member = { ...ctx, viewer };
  const found = (await findJurorEvidence(member, id.data)) ?? (await viewAsStaff(member, id.data));
  const stored = found ? await ctx.env.PICTURES.get(found.r2_key) : null;
  if (!stored) throw new AppError("NOT_FOUND");
  return new Response(stored.body, { headers: { "content-type": "image/webp", "cache-control": "private, no-store" } });
});

evidenceRoutes.onError((error, c) => errorResponse(c.get("ctx"), error));

/** Each look is written down before it is given: staff answer for their curiosity. */
async function viewAsStaff(ctx: MemberContext, id: number): Promise<{ r2_key: string } | undefined> {
  const { viewer, brand } = ctx;
  if (!can({ loggedIn: true, adminBrand: viewer.adminBrand, brand: brand.id }, "administer-brand")) return undefined;
  const row = await ctx.db
    .selectFrom("evidence as e")
    .innerJoin("report as r", "r.id", "e.report_id")
    .select(["e.r2_key", "e.author_id"])
    .where("e.id", "=", id)
    .where(brandInScope(ctx, "r.brand"))
    .executeTakeFirst();
  if (!row?.r2_key) return undefined;
  await withAudit(
    ctx,
    [],
    [
      {
        brand: brand.id,
        action: "staff.evidence_viewed",
        by: "staff",
        caseRef: null,
        details: {},
        subjectId: row.author_id,
        actorId: viewer.profileId,
        privateDetails: { evidenceId: id },
      },
    ],
  );
  return { r2_key: row.r2_key };
}
