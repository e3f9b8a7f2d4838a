import { parseServerEvent, type ServerEvent } from "@lambda/contract/events";
import type { TestMember } from "./member.ts";
import type { TestWorker } from "./worker.ts";

/** A member's open WebSocket and the events it received. */
export interface TestSocket {
  readonly events: ServerEvent[];
  /** The raw text of each message. */
  readonly frames: readonly string[];
  /** Resolves with the first event of a type, past or future, that matches. */
  waitFor<Type extends ServerEvent["type"]>(
    type: Type,
    matches?: (event: Extract<ServerEvent, { type: Type }>) => boolean,
  ): Promise<Extract<ServerEvent, { type: Type }>>;
  send(frame: string | object): void;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  close(): void;
}

interface SocketOptions {
  readonly path?: string;
  readonly origin?: string;
  /** Whether quotas apply as for a real browser. */
  readonly quotas?: boolean;
}

/** A Workers WebSocket, which Miniflare returns in the response to an upgrade. */
interface WorkersSocket extends Pick<WebSocket, "addEventListener" | "send" | "close"> {
  accept(): void;
}

/** Opens a socket as a member and resolves when it is ready; rejects if the upgrade is refused. */
export async function openSocket(
  worker: TestWorker,
  member: Pick<TestMember, "brand" | "cookie">,
  options: SocketOptions = {},
): Promise<TestSocket> {
  const site = `http://${member.brand}.localhost`;
  const response = await worker.fetch(`${site}${options.path ?? "/ws?visible=true"}`, {
    headers: {
      upgrade: "websocket",
      "x-development-quotas": options.quotas ? "on" : "off",
      cookie: member.cookie,
      origin: options.origin ?? site,
    },
  });
  const socket = (response as Response & { webSocket?: WorkersSocket | null }).webSocket;
  if (!socket) throw new Error(`the socket was refused with ${response.status}`);
  const events: ServerEvent[] = [];
  const frames: string[] = [];
  const listeners = new Set<() => void>();
  socket.addEventListener("message", ({ data }) => {
    frames.push(String(data));
    const event = parseServerEvent(data);
    if (!event) return;
    events.push(event);
    for (const listener of [...listeners]) listener();
  });
  const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
  const test: TestSocket = {
    events,
    frames,
    closed,
    waitFor: (type, matches = () => true) =>
      new Promise((resolve) => {
        const check = () => {
          const found = events.find((event) => event.type === type && matches(event as never));
          if (!found) return;
          listeners.delete(check);
          resolve(found as never);
        };
        listeners.add(check);
        check();
      }),
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    close: () => {
      if (socket.readyState === 1) socket.close();
    },
  };
  socket.accept();
  await test.waitFor("ready");
  return test;
}
