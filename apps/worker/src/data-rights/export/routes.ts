import { DAY_MS, EXPORTS_PER_DAY_MAX } from "@lambda/contract/limits";
import { OwnerProof } from "@lambda/contract/settings";
import { confirmOwner } from "../../accounts/proofs/confirm-owner.ts";
import { getAccount } from "../../accounts/settings/queries.ts";
import type { MemberContext } from "../../platform/access.ts";
import { AppError } from "../../platform/errors.ts";
import { toIsoDate } from "../../platform/iso-time.ts";
import { enforceLimit } from "../../platform/rate-limits/limit.ts";
import { byteRoute } from "../../platform/rest/byte-routes.ts";
import { exportArchive } from "./files.ts";

/** Exports the member's own data as a ZIP after proof of the owner, also for suspended and banned members. */
export const EXPORT_ROUTES = [
  byteRoute(
    "session",
    "POST /account/export",
    {
      operationId: "account.export",
      summary: "The own data as one ZIP: JSON, a readable page and the pictures",
      requestBody: {
        description: "The current password; not needed for ten minutes after a login or another proof of the owner",
        content: {
          "application/json": { schema: { type: "object", properties: { currentPassword: { type: "string" } } } },
        },
      },
      responses: {
        200: { description: "The archive", content: { "application/zip": {} } },
        401: { description: "No session" },
        403: { description: "Neither the current password nor a fresh proof" },
        429: { description: "Too often today" },
      },
    },
    (ctx) => sendExport(ctx),
  ),
];

/** Throws CONFIRMATION_NEEDED without the current password or a fresh proof, TOO_MANY_REQUESTS beyond the daily limit. */
async function sendExport(ctx: MemberContext): Promise<Response> {
  const { viewer, request } = ctx;
  const account = await getAccount(ctx.db, viewer.profileId);
  await confirmOwner(ctx, await readPassword(request), account.password_hash);
  await enforceLimit(ctx.env, `export:${viewer.profileId}`, EXPORTS_PER_DAY_MAX, DAY_MS);
  const day = toIsoDate(ctx.now);
  return new Response(exportArchive(ctx), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${ctx.brand.id}-${day}.zip"`,
      "cache-control": "private, no-store",
    },
  });
}

/** The password in the JSON body; not needed with a fresh proof. */
async function readPassword(request: Request): Promise<string | undefined> {
  const text = await request.text();
  try {
    return OwnerProof.parse(text === "" ? {} : JSON.parse(text)).currentPassword;
  } catch {
    throw new AppError("BAD_INPUT", { field: "currentPassword" });
  }
}
