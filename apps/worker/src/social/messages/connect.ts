/** GET /ws (a member's own events) and /ws/area (the map chat around the member). */

import { createMiddleware } from "hono/factory";
import { areaObject, ownSector } from "../../places/areas/area.ts";
import type { MemberContext } from "../../platform/access.ts";
import { AppError } from "../../platform/errors.ts";
import { count } from "../../platform/metrics/counts.ts";
import { readerOf } from "../../platform/near/watermarks.ts";
import { SOCKET_OWNER_HEADER, type SocketOwner } from "./sockets.ts";

/** Throws BAD_INPUT for anything but an upgrade, whoever asks. */
export const requireUpgrade = createMiddleware((c, next) => {
  if (c.req.method !== "GET" || c.req.header("upgrade")?.toLowerCase() !== "websocket") {
    throw new AppError("BAD_INPUT", { message: "This address is for WebSockets: a GET with an upgrade." });
  }
  return next();
});

/** Throws HIDING for the map chat. Foreign origins and members without access never get this far. */
export async function connectSocket(ctx: MemberContext, to: "member" | "area"): Promise<Response> {
  const { viewer, brand, request, env } = ctx;
  count("socketsOpened");
  const reader = await readerOf(request);
  const { profileId, sessionId } = viewer;
  const owner: SocketOwner = { profileId, sessionId, brand: brand.id, ...(reader && { reader }) };
  const headers = { upgrade: "websocket", [SOCKET_OWNER_HEADER]: JSON.stringify(owner) };
  if (to === "member") return env.MEMBER.getByName(String(viewer.profileId)).fetch(request.url, { headers });
  if (viewer.hidden) throw new AppError("HIDING");
  return areaObject(env, brand.id, ownSector(ctx)).fetch(request.url, { headers });
}
