import { DurableObject } from "cloudflare:workers";
import { SOCKET_PING, SOCKET_PONG } from "@lambda/contract/events";
import type { Env } from "../../platform/env.ts";
import { count, tellCounts } from "../../platform/metrics/counts.ts";
import { acceptSocket, closeSocket } from "./sockets.ts";

/** An object that holds sockets while they hibernate: it accepts them, answers their pings, and counts those that close, of nobody. */
export abstract class SocketObject extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(SOCKET_PING, SOCKET_PONG));
  }

  override fetch(request: Request): Response {
    return acceptSocket(this.ctx, request);
  }

  /** What a device says is ignored, unless the object listens. */
  override webSocketMessage(_socket: WebSocket, _data: string | ArrayBuffer): void | Promise<void> {}

  override webSocketClose(socket: WebSocket, code: number): void {
    this.#close(socket, code);
  }

  override webSocketError(socket: WebSocket): void {
    this.#close(socket, 1011);
  }

  #close(socket: WebSocket, code: number): void {
    count("socketsClosed");
    tellCounts(this.env, (work) => this.ctx.waitUntil(work));
    closeSocket(socket, code);
  }
}
