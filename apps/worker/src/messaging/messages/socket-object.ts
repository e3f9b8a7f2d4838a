import { WORK_PRICES } from "@lambda/contract/cost";
import { SOCKET_PING, SOCKET_PONG } from "@lambda/contract/events";
import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { MeteredObject } from "../../platform/metering/metered-object.ts";
import { count, flushCounts } from "../../platform/metrics/counts.ts";
import { chargeMember } from "../../platform/rate-limits/usage.ts";
import { acceptSocket, closeSocket, ownerOf, SOCKET_CLOSE_REFUSED } from "./sockets.ts";

/** How long changes wait for others, so that the metrics are called at most once a second for an isolate. */
const FLUSH_AFTER_MS = 1_000;
/** A time and not a mark, which the crash of the object that waits would leave. */
let flushesAt = 0;

/** A Durable Object that holds hibernating sockets: accepts them, answers pings, and counts them without saying whose they are. */
export abstract class SocketObject extends MeteredObject {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(SOCKET_PING, SOCKET_PONG));
    this.#countOpen();
  }

  override fetch(request: Request): Response {
    const response = acceptSocket(this.ctx, request);
    this.#countOpen();
    return response;
  }

  /** Closes the socket, as a device sends nothing but the keep-alive here, which never wakes the object. A subclass may take frames. */
  override webSocketMessage(socket: WebSocket, _data: string | ArrayBuffer): void | Promise<void> {
    if (socket.readyState !== WebSocket.OPEN) return;
    closeSocket(socket, SOCKET_CLOSE_REFUSED, "no frames here");
    this.ctx.waitUntil(chargeMember(this.env, ownerOf(socket).profileId, WORK_PRICES.socket).catch(() => undefined));
  }

  /** Closes one socket, by the id that the member's own object counts it by. */
  drop(id: string): void {
    for (const socket of this.ctx.getWebSockets(id)) closeSocket(socket, SOCKET_CLOSE_REFUSED, "too many connections");
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    this.#close(socket, code);
  }

  override webSocketError(socket: WebSocket): void {
    this.#close(socket, 1011);
  }

  #close(socket: WebSocket, code: number): void {
    closeSocket(socket, code);
    this.#countOpen(socket);
    const { profileId, id } = ownerOf(socket);
    const forget = async () => id && (await this.env.MEMBER.getByName(String(profileId)).removeSocket(id));
    this.ctx.waitUntil(forget().catch((error) => logFault({ event: "socket" }, error)));
  }

  /**
   * Counts the difference to the number that is stored while there are sockets: a crash ends them without closing events. The metrics begin
   * again with each version, as a deployment ends all.
   */
  #countOpen(closing?: WebSocket): void {
    const { kv } = this.ctx.storage;
    const version = this.env.GIT_COMMIT_HASH ?? "";
    const stored = kv.get<{ version: string; open: number }>("sockets");
    const before = stored?.version === version ? stored.open : 0;
    const open = this.ctx.getWebSockets().filter((socket) => socket !== closing).length;
    if (open === before && (stored === undefined || open > 0)) return;
    if (open > 0) kv.put("sockets", { version, open });
    else kv.delete("sockets");
    count(open > before ? "socketsOpened" : "socketsClosed", Math.abs(open - before));
    const now = Date.now();
    if (now < flushesAt) return;
    flushesAt = now + FLUSH_AFTER_MS;
    this.ctx.waitUntil(this.#flushSoon());
  }

  async #flushSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, FLUSH_AFTER_MS));
    flushCounts(this.env, (work) => this.ctx.waitUntil(work), true);
  }
}
