import { DurableObject } from "cloudflare:workers";
import { type ServerEvent, SOCKET_PING, SOCKET_PONG } from "@lambda/contract/events";
import type { Env } from "../../env.ts";
import { listOpenSessions } from "./audience.ts";
import { acceptSocket, closeSocket, ownerOf, sendFrame } from "./sockets.ts";

/**
 * The live side of one broadcast area, named `brand:sector`: holds the sockets of those who listen there, while they hibernate. It
 * only speaks; what a device says here is ignored.
 */
export class AreaObject extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(SOCKET_PING, SOCKET_PONG));
  }

  override async fetch(request: Request): Promise<Response> {
    return acceptSocket(this.ctx, request);
  }

  /** Sends an event about a member to each listener who may see him now. Answers how many got it. */
  async deliver(event: ServerEvent, aboutId: number): Promise<number> {
    const sockets = this.ctx.getWebSockets();
    if (sockets.length === 0) return 0;
    const sessions = await listOpenSessions(this.env.DB, sockets.map(ownerOf), aboutId, Date.now());
    const frame = JSON.stringify(event);
    let sent = 0;
    for (const socket of sockets) {
      const state = sessions.get(ownerOf(socket).sessionId);
      if (!state) closeSocket(socket, 4401, "session ended");
      else if (state.maySee && sendFrame(socket, frame)) sent += 1;
    }
    return sent;
  }

  override webSocketMessage(): void {}

  override webSocketClose(socket: WebSocket, code: number): void {
    closeSocket(socket, code);
  }

  override webSocketError(socket: WebSocket): void {
    closeSocket(socket, 1011);
  }
}
