/** A WebSocket that comes back: pings, reconnects with growing pauses, and parses what it hears. Knows no feature. */
import {
  type ClientEvent,
  parseServerEvent,
  type ServerEvent,
  SOCKET_ENDED,
  SOCKET_MOVED,
  SOCKET_PING,
  SOCKET_PONG,
} from "@lambda/contract/events";
import { SOCKET_PING_MS, SOCKET_RETRY_MAX_MS, SOCKET_RETRY_MIN_MS } from "@lambda/contract/limits";

export interface Line {
  /** False while it is down: then nothing is sent. */
  send(event: ClientEvent): boolean;
  readonly up: () => boolean;
  close(): void;
}

interface LineOptions {
  readonly path: "/ws" | "/ws/area";
  readonly onEvent: (event: ServerEvent) => void;
  /** Each time it stands (again): the moment to catch up. */
  readonly onUp: () => void;
  /** The server ended it, or did not let it stand: it may be that this member must not come. It goes on trying until closed. */
  readonly onRefused?: () => void;
}

/** A line that said nothing for this long after a ping is dead, whatever the browser believes. */
const PONG_WITHIN_MS = 10_000;

export function openLine({ path, onEvent, onUp, onRefused }: LineOptions): Line {
  let socket: WebSocket | undefined;
  let ready = false;
  let closed = false;
  let failures = 0;
  let retry: number | undefined;
  let ping: number | undefined;
  let pong: number | undefined;

  function connect(): void {
    window.clearTimeout(retry);
    if (closed || socket) return;
    const made = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket = made;
    made.onmessage = ({ data }) => {
      window.clearTimeout(pong);
      if (data === SOCKET_PONG) return;
      const event = parseServerEvent(data);
      if (!event) return;
      if (event.type !== "ready") return onEvent(event);
      ready = true;
      failures = 0;
      ping = window.setInterval(() => {
        made.send(SOCKET_PING);
        pong = window.setTimeout(() => drop(made), PONG_WITHIN_MS);
      }, SOCKET_PING_MS);
      onUp();
    };
    made.onclose = ({ code }) => {
      // A browser does not tell a refused upgrade from a lost network; the first in a row is worth a question.
      const refused = code === SOCKET_ENDED || (!ready && failures === 0);
      drop(made);
      if (refused && navigator.onLine) onRefused?.();
      if (code === SOCKET_MOVED) connect();
    };
  }

  function drop(which: WebSocket): void {
    if (which !== socket) return;
    window.clearInterval(ping);
    window.clearTimeout(pong);
    socket = undefined;
    ready = false;
    which.onclose = null;
    which.onmessage = null;
    which.close();
    if (closed) return;
    const pause = Math.min(SOCKET_RETRY_MAX_MS, SOCKET_RETRY_MIN_MS * 2 ** failures);
    failures += 1;
    // A part of chance, so that a restarted server is not met by everybody in the same moment.
    retry = window.setTimeout(connect, pause * (0.5 + Math.random() / 2));
  }

  /** The network or the member came back: no reason to wait out the pause. */
  const hurry = () => {
    if (document.visibilityState === "visible" && !socket) connect();
  };
  const lost = () => {
    if (!socket) return;
    drop(socket);
    // No failure of the server's: what it answers when the network is back is the first in a row again.
    failures = 0;
  };
  addEventListener("online", hurry);
  addEventListener("offline", lost);
  document.addEventListener("visibilitychange", hurry);
  connect();

  return {
    up: () => ready,
    send: (event) => {
      if (!ready || !socket) return false;
      socket.send(JSON.stringify(event));
      return true;
    },
    close: () => {
      closed = true;
      removeEventListener("online", hurry);
      removeEventListener("offline", lost);
      document.removeEventListener("visibilitychange", hurry);
      window.clearTimeout(retry);
      if (socket) drop(socket);
    },
  };
}
