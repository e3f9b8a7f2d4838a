/**
 * Serves the bytes of frozen pictures to jurors of an open jury on the case and to staff who administer the case's
 * brand. Copies in a legal hold are served only to the two admins who opened it.
 */
import { HoldItemName, HoldRef } from "@lambda/contract/holds";
import { requireExplicitAllowed } from "../accounts/age/require-proof.ts";
import { isBrandAdmin, type MemberContext } from "../platform/access.ts";
import { AppError } from "../platform/errors.ts";
import { byteRoute, idIn, privatePicture, sendBytes } from "../platform/rest/byte-routes.ts";
import { staffEvent, withAudit } from "./audit/log.ts";
import { findJurorEvidence } from "./jury/inbox.ts";
import { readHeldPicture } from "./staff/holds/opening.ts";
import { caseInScope } from "./staff/scope.ts";

export const EVIDENCE_ROUTES = [
  byteRoute(
    "member",
    "GET /evidence/{id}",
    privatePicture("A frozen picture, for jurors of an open jury on its case and for staff", "reports.evidence"),
    (ctx, c) => sendEvidence(ctx, idIn(c)),
  ),
  byteRoute(
    "member",
    "GET /admin/hold/{holdRef}/picture/{mac}",
    {
      operationId: "holds.picture",
      summary: "A picture of a legal hold, for the two admins who opened it",
      parameters: ["holdRef", "mac"].map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      responses: {
        200: { description: "The picture", content: { "image/webp": {} } },
        403: { description: "Not open to this admin" },
        404: { description: "Absent, or not for this member" },
      },
    },
    (ctx, c) => sendHeldPicture(ctx, c.req.param("holdRef") ?? "", c.req.param("mac") ?? ""),
  ),
];

/** Throws the same NOT_FOUND for evidence that does not exist and for evidence that this member may not see. */
async function sendEvidence(ctx: MemberContext, id: number): Promise<Response> {
  const asJuror = await findJurorEvidence(ctx, id);
  // Evidence has no pixelated version, so jurors need the proof of age. Staff are known to be adults.
  if (asJuror) await requireExplicitAllowed(ctx);
  const evidence = asJuror ?? (await findStaffEvidence(ctx, id));
  const stored = evidence ? await ctx.env.PICTURES.get(evidence.r2_key) : null;
  if (!stored) throw new AppError("NOT_FOUND");
  return sendBytes(stored.body, stored.httpMetadata?.contentType);
}

async function sendHeldPicture(ctx: MemberContext, holdRef: string, mac: string): Promise<Response> {
  if (!isBrandAdmin(ctx)) throw new AppError("NOT_ALLOWED");
  const isValid = HoldRef.safeParse(holdRef).success && HoldItemName.safeParse(mac).success;
  if (!isValid) throw new AppError("NOT_FOUND");
  const bytes = await readHeldPicture(ctx, holdRef, mac);
  return sendBytes(new Uint8Array(bytes), detectType(bytes));
}

/** The content type, by its magic bytes: a hold does not store whether a copy is a picture or a voice recording. */
function detectType(bytes: Uint8Array): string {
  if (bytes[0] === 0x1a) return "audio/webm";
  return String.fromCharCode(...bytes.subarray(4, 8)) === "ftyp" ? "audio/mp4" : "image/webp";
}

/** Logs the view before returning the evidence, so that staff are accountable for what they look at. */
async function findStaffEvidence(ctx: MemberContext, id: number): Promise<{ r2_key: string } | undefined> {
  if (!isBrandAdmin(ctx)) return undefined;
  const row = await ctx.db
    .selectFrom("evidence as e")
    .innerJoin("report as r", "r.id", "e.report_id")
    .select(["e.r2_key", "e.author_id"])
    .where("e.id", "=", id)
    .where(caseInScope(ctx))
    .executeTakeFirst();
  if (!row?.r2_key) return undefined;
  const viewed = { subjectId: row.author_id, privateDetails: { evidenceId: id } };
  await withAudit(ctx, [], [staffEvent(ctx, "staff.evidence_viewed", viewed)]);
  return { r2_key: row.r2_key };
}
