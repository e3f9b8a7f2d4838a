/** GET /ws (a member's own events) and /ws/area (the map chat around him): the upgrade, after the session is proved. */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { areaObject, ownSectorOf } from "./area.ts";
import { SOCKET_OWNER_HEADER, type SocketOwner } from "./sockets.ts";

/** Throws NOT_LOGGED_IN, SUSPENDED, HIDING (area only), BAD_INPUT without an upgrade. Foreign origins never get this far. */
export async function connectSocket(ctx: Context, to: "member" | "area"): Promise<Response> {
  const { viewer, brand, request, env } = ctx;
  if (!viewer) throw new AppError("NOT_LOGGED_IN");
  if (viewer.status !== "active") throw new AppError("SUSPENDED");
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new AppError("BAD_INPUT", { message: "This address is for WebSockets." });
  }
  const owner: SocketOwner = { profileId: viewer.profileId, sessionId: viewer.sessionId, brand: brand.id };
  const headers = { upgrade: "websocket", [SOCKET_OWNER_HEADER]: JSON.stringify(owner) };
  if (to === "member") return env.MEMBER.getByName(String(viewer.profileId)).fetch(request.url, { headers });
  if (viewer.hidden) throw new AppError("HIDING");
  const sector = ownSectorOf({ viewer, brand, now: ctx.now });
  return areaObject(env, brand.id, sector).fetch(request.url, { headers });
}
