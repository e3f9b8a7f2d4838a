/** Accepting, tagging and closing the sockets of Durable Objects. */
import type { BrandId } from "@lambda/brands";
import type { ServerEvent } from "@lambda/contract/events";
import type { RecipientSession } from "../../platform/objects.ts";
import type { Reader } from "../../platform/replication/watermarks.ts";

/** Stored with a socket, so that it survives hibernation. */
export interface SocketOwner {
  readonly profileId: number;
  readonly sessionId: number;
  readonly brand: BrandId;
  /** The region in which this device reads. */
  readonly reader?: Reader;
  /** The session's lock_hash when the socket was opened. */
  readonly lock?: string;
  /** When its page last said that it is visible; absent while it is not. */
  readonly visibleAt?: number;
  /** Names a socket outside of the member's own object, which counts it. */
  readonly id?: string;
  /** Set when the socket was accepted: the runtime lists sockets in an order of its own. */
  readonly openedAt?: number;
}

/** Tells the object whose socket it is. The route sets it, and clients can reach an object only through the route. */
export const SOCKET_OWNER_HEADER = "x-socket-owner";

export function ownerOf(socket: WebSocket): SocketOwner {
  return socket.deserializeAttachment() as SocketOwner;
}

/** The owner's session, unless it has ended or its app lock was turned on or off since the socket was opened. */
export function sessionOf(
  owner: SocketOwner,
  sessions: ReadonlyMap<number, RecipientSession>,
): RecipientSession | undefined {
  const session = sessions.get(owner.sessionId);
  return session && session.lock === (owner.lock ?? null) ? session : undefined;
}

export function setVisible(socket: WebSocket, visible: boolean): void {
  const { visibleAt: _, ...owner } = ownerOf(socket);
  socket.serializeAttachment(visible ? { ...owner, visibleAt: Date.now() } : owner);
}

export const tagOf = (profileId: number) => String(profileId);

export function acceptSocket(state: DurableObjectState, request: Request): Response {
  const owner = JSON.parse(request.headers.get(SOCKET_OWNER_HEADER) ?? "null") as SocketOwner | null;
  if (!owner) return new Response(null, { status: 400 });
  const { 0: client, 1: server } = new WebSocketPair();
  state.acceptWebSocket(server, [tagOf(owner.profileId), ...(owner.id ? [owner.id] : [])]);
  server.serializeAttachment({ ...owner, openedAt: Date.now() } satisfies SocketOwner);
  sendFrame(server, JSON.stringify({ type: "ready" } satisfies ServerEvent));
  return new Response(null, { status: 101, webSocket: client });
}

/** Returns false when the socket closed in the meantime. */
export function sendFrame(socket: WebSocket, frame: string): boolean {
  try {
    socket.send(frame);
    return true;
  } catch {
    return false;
  }
}

/** For a client that broke a rule, which it is told in `reason`. */
export const SOCKET_CLOSE_REFUSED = 1008;
/** The service restarts: the page connects again later. */
export const SOCKET_CLOSE_RESTART = 1012;

/** Closes with a normal code instead of those that must not be sent (1005, 1006, 1015). */
export function closeSocket(socket: WebSocket, code: number, reason = ""): void {
  try {
    socket.close(code === 1005 || code === 1006 || code === 1015 ? 1000 : code, reason);
  } catch {
    // Already closed.
  }
}
