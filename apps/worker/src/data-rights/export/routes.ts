import { OwnerProof } from "@lambda/contract/settings";
import { confirmOwner } from "../../accounts/proofs/confirm-owner.ts";
import { deviceLabel } from "../../accounts/sessions/device-label.ts";
import { settingsMailCopy } from "../../accounts/settings/copy.ts";
import { getAccount, updateAccountQuery } from "../../accounts/settings/queries.ts";
import type { MemberContext } from "../../platform/access.ts";
import { batch, openDatabase } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { whenTaken } from "../../platform/http/when-taken.ts";
import { toIsoDate } from "../../platform/iso-time.ts";
import { composeMail, prepareMail, siteLink } from "../../platform/mail/send-mail.ts";
import { byteRoute } from "../../platform/rest/byte-routes.ts";
import { exportArchive } from "./files.ts";
import { beginExport, completeExport, isValidTicket } from "./ticket.ts";

const RESPONSES = {
  200: { description: "The archive", content: { "application/zip": {} } },
  401: { description: "No session" },
  403: { description: "No proof of the owner, or an expired link" },
  429: { description: "Too often today" },
};

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
      responses: RESPONSES,
    },
    async (ctx) => {
      const account = await getAccount(ctx.db, ctx.viewer.profileId);
      await confirmOwner(ctx, await readPassword(ctx.request), account.password_hash);
      return sendExport(ctx, account);
    },
  ),
  byteRoute(
    "session",
    "GET /account/export/{ticket}",
    {
      operationId: "account.exportByLink",
      summary: "The same by a link of POST /account/export/link, for the browser's own download",
      parameters: [{ name: "ticket", in: "path", required: true, schema: { type: "string" } }],
      responses: RESPONSES,
    },
    async (ctx, c) => {
      if (!isValidTicket(ctx, c.req.param("ticket") ?? "")) throw new AppError("CONFIRMATION_NEEDED");
      return sendExport(ctx, await getAccount(ctx.db, ctx.viewer.profileId));
    },
  ),
];

/** Throws TOO_MANY_REQUESTS beyond the daily limit. */
async function sendExport(ctx: MemberContext, owner: Owner): Promise<Response> {
  await beginExport(ctx);
  await recordDownload(ctx, owner);
  const day = toIsoDate(ctx.now);
  const archive = whenTaken(exportArchive(ctx), ctx.requestId, () => completeExport(ctx));
  return new Response(archive, {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${ctx.brand.id}-${day}.zip"`,
      "cache-control": "private, no-store",
    },
  });
}

type Owner = Awaited<ReturnType<typeof getAccount>>;

/** Before the first byte: whoever knows the password, or holds a phone whose proof is fresh, must not read everything unnoticed. */
async function recordDownload({ env, brand, viewer, now, request, waitUntil }: MemberContext, owner: Owner) {
  const { subject, lead, stop, action } = settingsMailCopy[owner.locale].dataDownloaded;
  const device = deviceLabel(request.headers.get("user-agent") ?? "");
  const parts = [lead(device), stop, { link: siteLink({ brand, request, env }, "/settings#sessions"), action }];
  const warning = composeMail(brand, owner.email, subject(brand.name), parts);
  const mail = prepareMail(env, brand, warning, "dataDownloaded", viewer.profileId);
  // Without the request's bookmark: nobody but the owner sees the time, so the regions need not wait for it.
  await batch(env.DB, [updateAccountQuery(openDatabase(env.DB), owner.id, { ts_exported: now }), ...mail.queries]);
  waitUntil(mail.deliver());
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
