import { DAY_MS, EXPORTS_PER_DAY_MAX } from "@lambda/contract/limits";
import { Hono } from "hono";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { limit } from "../rate-limits/limit.ts";
import { zipStream } from "./archive.ts";
import { exportFiles } from "./files.ts";

export const exportRoutes = new Hono<{ Variables: { ctx: Context } }>();

/** GET /api/account/export: the member's own data as one ZIP. A suspended or banned member gets his as well. */
exportRoutes.get("/account/export", async (c) => {
  const ctx = c.get("ctx");
  if (!ctx.viewer) throw new AppError("NOT_LOGGED_IN");
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
