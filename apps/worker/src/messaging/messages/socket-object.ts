import { DurableObject } from "cloudflare:workers";
import { SOCKET_PING, SOCKET_PONG } from "@lambda/contract/events";
import type { Env } from "../../platform/env.ts";
import { count, flushCounts } from "../../platform/metrics/counts.ts";
import { acceptSocket, closeSocket } from "./sockets.ts";

/** A Durable Object that holds hibernating sockets: accepts them, answers pings, and counts closed ones without saying whose they were. */
export abstract class SocketObject extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(SOCKET_PING, SOCKET_PONG));
  }

  override fetch(request: Request): Response {
    return acceptSocket(this.ctx, request);
  }

  /** Ignores frames from devices unless a subclass overrides this. */
  override webSocketMessage(_socket: WebSocket, _data: string | ArrayBuffer): void | Promise<void> {}

  override webSocketClose(socket: WebSocket, code: number): void {
    this.#close(socket, code);
  }

  override webSocketError(socket: WebSocket): void {
    this.#close(socket, 1011);
  }

  #close(socket: WebSocket, code: number): void {
    count("socketsClosed");
    flushCounts(this.env, (work) => this.ctx.waitUntil(work));
    closeSocket(socket, code);
  }
}
