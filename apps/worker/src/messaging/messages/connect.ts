/** GET /ws?visible= (a member's own events; whether its page can be seen), /ws/area (the map chat around the member) and /ws/map (members who appear in or leave a square of the map). */
import { SectorQuery } from "@lambda/contract/positions";
import { createMiddleware } from "hono/factory";
import { areaObject, ownSector } from "../../places/areas/area.ts";
import type { MemberContext } from "../../platform/access.ts";
import { AppError, parseInput } from "../../platform/errors.ts";
import { isSocketRequest } from "../../platform/http/security.ts";
import { cornerOf, squareObject } from "../../platform/map/squares.ts";
import { findReader } from "../../platform/replication/watermarks.ts";
import { SOCKET_OWNER_HEADER, type SocketOwner } from "./sockets.ts";

/** Throws BAD_INPUT for anything but an upgrade, before the session is checked. */
export const requireUpgrade = createMiddleware((c, next) => {
  if (c.req.method !== "GET" || !isSocketRequest(c.req.raw)) {
    throw new AppError("BAD_INPUT", { message: "This address is for WebSockets: a GET with an upgrade." });
  }
  return next();
});

const Corner = SectorQuery.pick({ lat: true, lon: true });

/** Throws HIDING when a hidden member opens the map chat, and BAD_INPUT for coordinates off the map. The caller has checked origin and access. */
export async function connectSocket(ctx: MemberContext, to: "member" | "area" | "map"): Promise<Response> {
  const { viewer, brand, request, env } = ctx;
  const reader = await findReader(request);
  const { profileId, sessionId, lockHash } = viewer;
  const owner: SocketOwner = {
    profileId,
    sessionId,
    brand: brand.id,
    ...(reader && { reader }),
    ...(lockHash !== null && { lock: lockHash }),
    ...(new URL(request.url).searchParams.get("visible") === "true" && { visibleAt: ctx.now }),
  };
  const headers = { upgrade: "websocket", [SOCKET_OWNER_HEADER]: JSON.stringify(owner) };
  if (to === "map") {
    const corner = parseInput(Corner, Object.fromEntries(new URL(request.url).searchParams));
    return squareObject(env, brand.id, cornerOf(corner)).fetch(request.url, { headers });
  }
  if (to === "member") return env.MEMBER.getByName(String(viewer.profileId)).fetch(request.url, { headers });
  if (viewer.hidden) throw new AppError("HIDING");
  return areaObject(env, brand.id, ownSector(ctx)).fetch(request.url, { headers });
}
