/** What live objects do with a socket. */
import type { BrandId } from "@lambda/brands";
import type { ServerEvent } from "@lambda/contract/events";
import { SOCKETS_PER_MEMBER_MAX } from "@lambda/contract/limits";
import type { Reader } from "../../platform/near/watermarks.ts";

/** What a socket remembers while its object hibernates. */
export interface SocketOwner {
  readonly profileId: number;
  readonly sessionId: number;
  readonly brand: BrandId;
  /** Where this device reads. */
  readonly reader?: Reader;
}

/** How the route tells an object whose socket it is; no client reaches an object but through the route. */
export const SOCKET_OWNER_HEADER = "x-socket-owner";

export function ownerOf(socket: WebSocket): SocketOwner {
  return socket.deserializeAttachment() as SocketOwner;
}

/** All sockets of one member carry that member's tag. */
export const tagOf = (profileId: number) => String(profileId);

/** The oldest of a member's sockets gives way to one too many. */
export function acceptSocket(state: DurableObjectState, request: Request): Response {
  const owner = JSON.parse(request.headers.get(SOCKET_OWNER_HEADER) ?? "null") as SocketOwner | null;
  if (!owner) return new Response(null, { status: 400 });
  const open = state.getWebSockets(tagOf(owner.profileId)).filter((socket) => socket.readyState === WebSocket.OPEN);
  if (open.length >= SOCKETS_PER_MEMBER_MAX && open[0]) closeSocket(open[0], 1008, "too many connections");
  const { 0: client, 1: server } = new WebSocketPair();
  state.acceptWebSocket(server, [tagOf(owner.profileId)]);
  server.serializeAttachment(owner);
  sendFrame(server, JSON.stringify({ type: "ready" } satisfies ServerEvent));
  return new Response(null, { status: 101, webSocket: client });
}

/** False when it closed between the listing and the sending. */
export function sendFrame(socket: WebSocket, frame: string): boolean {
  try {
    socket.send(frame);
    return true;
  } catch {
    return false;
  }
}

/** Codes that may not be sent (no status, abnormal) become a normal end. */
export function closeSocket(socket: WebSocket, code: number, reason = ""): void {
  try {
    socket.close(code === 1005 || code === 1006 || code === 1015 ? 1000 : code, reason);
  } catch {
    // It was closed already.
  }
}
