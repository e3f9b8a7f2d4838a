/**
 * Bytes of frozen pictures: for jurors of an open jury on the case, and for staff in whose scope the case is. Copies of a legal hold
 * are for the two admins who opened it.
 */
import { can } from "@lambda/contract/capabilities";
import { HoldItemName, HoldRef } from "@lambda/contract/holds";
import { Id } from "@lambda/contract/primitives";
import { requireExplicit } from "../members/age/standing.ts";
import type { MemberContext } from "../platform/access.ts";
import { AppError } from "../platform/errors.ts";
import type { ByteRoute } from "../platform/rest/byte-routes.ts";
import { withAudit } from "./audit/log.ts";
import { findJurorEvidence } from "./jury/inbox.ts";
import { readHeldPicture } from "./staff/holds/content.ts";
import { brandInScope } from "./staff/scope.ts";

export const EVIDENCE_ROUTES: readonly ByteRoute[] = [
  {
    method: "get",
    path: "/evidence/{id}",
    access: "member",
    operation: {
      operationId: "reports.evidence",
      summary: "A frozen picture, for jurors of an open jury on its case and for staff",
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      responses: {
        200: { description: "The picture", content: { "image/webp": {} } },
        404: { description: "Absent, or not for this member" },
      },
    },
    handler: (c) => sendEvidence(c.get("member"), c.req.param("id") ?? ""),
  },
  {
    method: "get",
    path: "/admin/hold/{holdRef}/picture/{mac}",
    access: "member",
    operation: {
      operationId: "holds.picture",
      summary: "A picture of a legal hold, for the two admins who opened it",
      parameters: [
        { name: "holdRef", in: "path", required: true, schema: { type: "string" } },
        { name: "mac", in: "path", required: true, schema: { type: "string" } },
      ],
      responses: {
        200: { description: "The picture", content: { "image/webp": {} } },
        403: { description: "Not open to this admin" },
        404: { description: "Absent, or not for this member" },
      },
    },
    handler: (c) => sendHeldPicture(c.get("member"), c.req.param("holdRef") ?? "", c.req.param("mac") ?? ""),
  },
];

/** The same NOT_FOUND for what is absent and for what is not this member's to see. */
async function sendEvidence(ctx: MemberContext, param: string): Promise<Response> {
  const id = Id.safeParse(param);
  if (!id.success) throw new AppError("NOT_FOUND");
  const asJuror = await findJurorEvidence(ctx, id.data);
  // What is frozen has no pixelated version. Staff are known to be adults.
  if (asJuror) await requireExplicit(ctx);
  const found = asJuror ?? (await viewAsStaff(ctx, id.data));
  const stored = found ? await ctx.env.PICTURES.get(found.r2_key) : null;
  if (!stored) throw new AppError("NOT_FOUND");
  const type = stored.httpMetadata?.contentType ?? "image/webp";
  return new Response(stored.body, { headers: { "content-type": type, "cache-control": "private, no-store" } });
}

async function sendHeldPicture(ctx: MemberContext, holdRef: string, mac: string): Promise<Response> {
  if (!isAdmin(ctx)) throw new AppError("NOT_ALLOWED");
  const known = HoldRef.safeParse(holdRef).success && HoldItemName.safeParse(mac).success;
  if (!known) throw new AppError("NOT_FOUND");
  const bytes = await readHeldPicture(ctx, holdRef, mac);
  return new Response(new Uint8Array(bytes), {
    headers: { "content-type": typeOf(bytes), "cache-control": "private, no-store" },
  });
}

/** Of a sealed copy no type is kept: it is a picture, or what was said. */
function typeOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x1a) return "audio/webm";
  return String.fromCharCode(...bytes.subarray(4, 8)) === "ftyp" ? "audio/mp4" : "image/webp";
}

function isAdmin({ viewer, brand }: MemberContext): boolean {
  return can({ loggedIn: true, adminBrand: viewer.adminBrand, brand: brand.id }, "administer-brand");
}

/** Each view is logged before it is given: staff answer for their curiosity. */
async function viewAsStaff(ctx: MemberContext, id: number): Promise<{ r2_key: string } | undefined> {
  const { viewer, brand } = ctx;
  if (!isAdmin(ctx)) return undefined;
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
