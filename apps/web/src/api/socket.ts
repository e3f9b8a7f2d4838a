/** A WebSocket that comes back: pings, reconnects with growing pauses, and parses what arrives. Knows no feature. */
import {
  type ClientEvent,
  parseServerEvent,
  type ServerEvent,
  SOCKET_ENDED,
  SOCKET_MOVED,
  SOCKET_PING,
  SOCKET_PONG,
} from "@lambda/contract/events";
import { SOCKET_PING_MS } from "@lambda/contract/limits";
import { retryPause } from "./retry-pause.ts";

interface SocketOptions {
  readonly path: "/ws" | "/ws/area" | `/ws/map?${string}`;
  readonly onEvent: (event: ServerEvent) => void;
  /** Each time it is ready (again): the moment to catch up. */
  readonly onReady: () => void;
  /** It is not ready any more, for whatever reason, and tries to be again. */
  readonly onLost?: () => void;
  /** The server ended it, or did not accept it: this member may not be allowed. It goes on trying until closed. */
  readonly onRefused?: () => void;
}

/** A socket without any answer for this long after a ping is dead, whatever the browser believes. */
const PONG_WITHIN_MS = 10_000;

export class SocketConnection {
  readonly #options: SocketOptions;
  #socket: WebSocket | undefined;
  #status: "connecting" | "ready" | "waiting" | "closed" = "waiting";
  #failures = 0;
  /** Every page may be coming back at the same time: after a deployment, or a crash. */
  #amongMany = false;
  #retry: number | undefined;
  #ping: number | undefined;
  #pong: number | undefined;

  constructor(options: SocketOptions) {
    this.#options = options;
    addEventListener("online", this.#connectNow);
    addEventListener("offline", this.#onOffline);
    document.addEventListener("visibilitychange", this.#connectNow);
    this.#connect();
  }

  isReady(): boolean {
    return this.#status === "ready";
  }

  /** Answers false, and sends nothing, while it is not ready. */
  send(event: ClientEvent): boolean {
    if (!this.isReady()) return false;
    this.#socket?.send(JSON.stringify(event));
    return true;
  }

  close(): void {
    removeEventListener("online", this.#connectNow);
    removeEventListener("offline", this.#onOffline);
    document.removeEventListener("visibilitychange", this.#connectNow);
    window.clearTimeout(this.#retry);
    this.#release();
    this.#status = "closed";
  }

  #connect(): void {
    window.clearTimeout(this.#retry);
    if (this.#status !== "waiting") return;
    this.#status = "connecting";
    const { protocol, host } = location;
    const socket = new WebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}${this.#options.path}`);
    socket.onmessage = ({ data }) => this.#onMessage(data);
    socket.onclose = ({ code }) => this.#onClose(code);
    this.#socket = socket;
  }

  #onMessage(data: unknown): void {
    window.clearTimeout(this.#pong);
    if (data === SOCKET_PONG) return;
    const event = parseServerEvent(data);
    if (!event) return;
    if (event.type === "ready") this.#onReady();
    else this.#options.onEvent(event);
  }

  #onReady(): void {
    this.#status = "ready";
    this.#failures = 0;
    this.#amongMany = false;
    this.#ping = window.setInterval(() => {
      this.#socket?.send(SOCKET_PING);
      this.#pong = window.setTimeout(() => this.#reconnectLater(), PONG_WITHIN_MS);
    }, SOCKET_PING_MS);
    this.#options.onReady();
  }

  #onClose(code: number): void {
    // A browser does not tell a refused upgrade from a lost network; the first in a row is worth a question.
    const refused = code === SOCKET_ENDED || (!this.isReady() && this.#failures === 0);
    this.#reconnectLater(this.isReady() && code !== SOCKET_ENDED && code !== SOCKET_MOVED);
    if (refused && navigator.onLine) this.#options.onRefused?.();
    if (code === SOCKET_MOVED) this.#connect();
  }

  /** @param serverWent an open socket was cut off, and so may everybody's have been */
  #reconnectLater(serverWent = false): void {
    this.#release();
    this.#amongMany ||= serverWent;
    const pause = retryPause({ failures: this.#failures, amongMany: this.#amongMany, random: Math.random() });
    this.#failures += 1;
    this.#retry = window.setTimeout(() => this.#connect(), pause);
  }

  #release(): void {
    window.clearInterval(this.#ping);
    window.clearTimeout(this.#pong);
    const wasReady = this.isReady();
    this.#status = "waiting";
    if (wasReady) this.#options.onLost?.();
    if (!this.#socket) return;
    this.#socket.onclose = null;
    this.#socket.onmessage = null;
    this.#socket.close();
    this.#socket = undefined;
  }

  /** The network or the member came back: no reason to wait out the pause. */
  readonly #connectNow = () => {
    if (document.visibilityState === "visible") this.#connect();
  };

  readonly #onOffline = () => {
    if (!this.#socket) return;
    this.#reconnectLater();
    // No failure of the server's: what it answers when the network is back is the first in a row again, and this page comes alone.
    this.#failures = 0;
    this.#amongMany = false;
  };
}

export function connectSocket(options: SocketOptions): SocketConnection {
  return new SocketConnection(options);
}
