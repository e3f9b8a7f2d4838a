import { DAY_MS, EXPORTS_PER_DAY_MAX } from "@lambda/contract/limits";
import { OwnerProof } from "@lambda/contract/settings";
import { Hono } from "hono";
import { confirmOwner } from "../../members/settings/confirm-owner.ts";
import { getAccount } from "../../members/settings/queries.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { limit } from "../../platform/rate-limits/limit.ts";
import { zipStream } from "./archive.ts";
import { exportFiles } from "./files.ts";

export const exportRoutes = new Hono<{ Variables: { ctx: Context } }>();

/**
 * POST /api/account/export: the member's own data as one ZIP, once they proved to own it: by the current password or a fresh
 * login link. A suspended or banned member gets it as well. Throws CONFIRMATION_NEEDED, TOO_MANY_REQUESTS.
 */
exportRoutes.post("/account/export", async (c) => {
  const ctx = c.get("ctx");
  if (!ctx.viewer) throw new AppError("NOT_LOGGED_IN");
  const account = await getAccount(ctx.db, ctx.viewer.profileId);
  await confirmOwner({ ...ctx, viewer: ctx.viewer }, await readPassword(c.req.raw), account.password_hash);
  await limit(ctx.env, `export:${ctx.viewer.profileId}`, EXPORTS_PER_DAY_MAX, DAY_MS);
  const day = new Date(ctx.now).toISOString().slice(0, 10);
  return new Response(zipStream(exportFiles(ctx, ctx.viewer.profileId)), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${ctx.brand.id}-${day}.zip"`,
      "cache-control": "private, no-store",
    },
  });
});

/** The proof in a JSON body; a fresh link needs none. */
async function readPassword(request: Request): Promise<string | undefined> {
  const text = await request.text();
  try {
    return OwnerProof.parse(text === "" ? {} : JSON.parse(text)).currentPassword;
  } catch {
    throw new AppError("BAD_INPUT", { field: "currentPassword" });
  }
}
