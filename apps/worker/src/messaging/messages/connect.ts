/** GET /ws?visible= (a member's own events; whether its page can be seen), /ws/area (the map chat around the member) and /ws/map (members who appear in or leave a square of the map). */
import { SectorQuery } from "@lambda/contract/positions";
import { createMiddleware } from "hono/factory";
import { areaObject, ownSector } from "../../places/areas/area.ts";
import type { MemberContext } from "../../platform/access.ts";
import { AppError, parseInput } from "../../platform/errors.ts";
import { randomHex } from "../../platform/hash.ts";
import { isSocketRequest } from "../../platform/http/security.ts";
import { logFault } from "../../platform/log.ts";
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
  const own = env.MEMBER.getByName(String(profileId));
  const headersOf = (id?: string) => ({
    upgrade: "websocket",
    [SOCKET_OWNER_HEADER]: JSON.stringify({ ...owner, ...(id && { id }) } satisfies SocketOwner),
  });
  if (to === "member") return own.fetch(request.url, { headers: headersOf() });
  if (to === "area" && viewer.hidden) throw new AppError("HIDING");
  const object = to === "area" ? areaObject(env, brand.id, ownSector(ctx)) : watchedSquare(ctx);
  const id = `socket-${randomHex(8)}`;
  // Without its count a member still gets live changes: the object that failed serves the messages as well.
  await own
    .addSocket({ id, binding: to === "area" ? "AREA" : "SQUARE", object: object.id.toString(), ts: Date.now() })
    .catch((error) => logFault({ event: "socket" }, error));
  return object.fetch(request.url, { headers: headersOf(id) });
}

function watchedSquare({ env, brand, request }: MemberContext) {
  const corner = parseInput(Corner, Object.fromEntries(new URL(request.url).searchParams));
  return squareObject(env, brand.id, cornerOf(corner));
}
