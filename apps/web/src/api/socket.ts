/** A reconnecting WebSocket: pings, reconnects with backoff, and parses incoming events. Contains no feature code. */
import {
  type ClientEvent,
  parseServerEvent,
  type ServerEvent,
  SOCKET_CLOSE_ENDED,
  SOCKET_CLOSE_MOVED,
  SOCKET_PING,
  SOCKET_PONG,
} from "@lambda/contract/events";
import { SOCKET_PING_MS } from "@lambda/contract/limits";
import { isOnline } from "../device/online.ts";
import { retryDelay } from "./retry-delay.ts";

interface SocketOptions {
  /** Asked at each connect. */
  readonly path: () => `/ws?${string}` | "/ws/area" | `/ws/map?${string}`;
  readonly onEvent: (event: ServerEvent) => void;
  /** Called after each connect and reconnect: the time to catch up on missed events. */
  readonly onReady: () => void;
  /** Called when the connection is lost for any reason; it reconnects by itself. */
  readonly onLost?: () => void;
  /** Called when the server ended or refused the connection, so the session may be over. It still reconnects until closed. */
  readonly onRefused?: () => void;
}

/** A socket that receives nothing for this long after a ping is considered dead, even if the browser reports it as open. */
const PONG_TIMEOUT_MS = 10_000;

export class SocketConnection {
  readonly #options: SocketOptions;
  #socket: WebSocket | undefined;
  #status: "connecting" | "ready" | "waiting" | "closed" = "waiting";
  #failures = 0;
  #isMassReconnect = false;
  #retryTimer: number | undefined;
  #pingTimer: number | undefined;
  #pongTimer: number | undefined;

  constructor(options: SocketOptions) {
    this.#options = options;
    addEventListener("online", this.#onOnline);
    addEventListener("offline", this.#onOffline);
    document.addEventListener("visibilitychange", this.#connectNow);
    this.#connect();
  }

  isReady(): boolean {
    return this.#status === "ready";
  }

  /** Returns false and sends nothing while not connected. */
  send(event: ClientEvent): boolean {
    if (!this.isReady()) return false;
    this.#socket?.send(JSON.stringify(event));
    return true;
  }

  close(): void {
    removeEventListener("online", this.#onOnline);
    removeEventListener("offline", this.#onOffline);
    document.removeEventListener("visibilitychange", this.#connectNow);
    window.clearTimeout(this.#retryTimer);
    this.#disconnect();
    this.#status = "closed";
  }

  #connect(): void {
    window.clearTimeout(this.#retryTimer);
    if (this.#status !== "waiting") return;
    this.#status = "connecting";
    const { protocol, host } = location;
    const socket = new WebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}${this.#options.path()}`);
    socket.onmessage = ({ data }) => this.#onMessage(data);
    socket.onclose = ({ code }) => this.#onClose(code);
    this.#socket = socket;
  }

  #onMessage(data: unknown): void {
    window.clearTimeout(this.#pongTimer);
    if (data === SOCKET_PONG) return;
    const event = parseServerEvent(data);
    if (!event) return;
    if (event.type === "ready") this.#onReady();
    else this.#options.onEvent(event);
  }

  #onReady(): void {
    this.#status = "ready";
    this.#failures = 0;
    this.#isMassReconnect = false;
    this.#pingTimer = window.setInterval(this.#ping, SOCKET_PING_MS);
    this.#options.onReady();
  }

  #onClose(code: number): void {
    // Browsers do not distinguish a refused upgrade from a network failure, so the first failure in a row counts as refused.
    const isRefused = code === SOCKET_CLOSE_ENDED || (!this.isReady() && this.#failures === 0);
    this.#reconnectLater(this.isReady() && code !== SOCKET_CLOSE_ENDED && code !== SOCKET_CLOSE_MOVED);
    if (isRefused && isOnline()) this.#options.onRefused?.();
    if (code === SOCKET_CLOSE_MOVED) this.#connect();
  }

  /** @param hasServerFailed an open socket was closed, so every other page may have lost its connection too */
  #reconnectLater(hasServerFailed = false): void {
    this.#disconnect();
    this.#isMassReconnect ||= hasServerFailed;
    const delay = retryDelay({
      failures: this.#failures,
      isMassReconnect: this.#isMassReconnect,
      random: Math.random(),
    });
    this.#failures += 1;
    this.#retryTimer = window.setTimeout(() => this.#connect(), delay);
  }

  #disconnect(): void {
    window.clearInterval(this.#pingTimer);
    window.clearTimeout(this.#pongTimer);
    const wasReady = this.isReady();
    this.#status = "waiting";
    if (wasReady) this.#options.onLost?.();
    if (!this.#socket) return;
    this.#socket.onclose = null;
    this.#socket.onmessage = null;
    this.#socket.close();
    this.#socket = undefined;
  }

  readonly #ping = () => {
    window.clearTimeout(this.#pongTimer);
    this.#socket?.send(SOCKET_PING);
    this.#pongTimer = window.setTimeout(() => this.#reconnectLater(), PONG_TIMEOUT_MS);
  };

  /** The network or the member came back, so the retry delay is skipped. A connection may have died unnoticed while the page slept. */
  readonly #connectNow = () => {
    if (document.visibilityState !== "visible") return;
    if (this.isReady()) this.#ping();
    this.#connect();
  };

  readonly #onOnline = () => {
    // Attempts without a network say nothing about the server.
    this.#failures = 0;
    this.#connectNow();
  };

  readonly #onOffline = () => {
    if (!this.#socket) return;
    this.#reconnectLater();
    // Going offline is not the server's failure: the next attempt counts as the first one, and only this page reconnects.
    this.#failures = 0;
    this.#isMassReconnect = false;
  };
}

export const connectSocket = (options: SocketOptions): SocketConnection => new SocketConnection(options);
