/** GET /ws (a member's own events) and /ws/area (the map chat around them): the upgrade, after the session is proved. */

import { areaObject, ownSector } from "../../places/areas/area.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { SOCKET_OWNER_HEADER, type SocketOwner } from "./sockets.ts";

/** Throws BAD_INPUT for anything but an upgrade, NOT_LOGGED_IN, SUSPENDED, HIDING (area only). Foreign origins never get this far. */
export async function connectSocket(ctx: Context, to: "member" | "area"): Promise<Response> {
  const { viewer, brand, request, env } = ctx;
  if (request.method !== "GET" || request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new AppError("BAD_INPUT", { message: "This address is for WebSockets: a GET with an upgrade." });
  }
  if (!viewer) throw new AppError("NOT_LOGGED_IN");
  if (viewer.status !== "active") throw new AppError("SUSPENDED");
  const owner: SocketOwner = { profileId: viewer.profileId, sessionId: viewer.sessionId, brand: brand.id };
  const headers = { upgrade: "websocket", [SOCKET_OWNER_HEADER]: JSON.stringify(owner) };
  if (to === "member") return env.MEMBER.getByName(String(viewer.profileId)).fetch(request.url, { headers });
  if (viewer.hidden) throw new AppError("HIDING");
  return areaObject(env, brand.id, ownSector({ ...ctx, viewer })).fetch(request.url, { headers });
}
