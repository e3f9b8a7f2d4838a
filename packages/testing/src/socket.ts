import { parseServerEvent, type ServerEvent } from "@lambda/contract/events";
import type { TestMember } from "./member.ts";
import type { TestWorker } from "./worker.ts";

/** A member's open WebSocket, with what came over it. */
export interface TestSocket {
  readonly events: ServerEvent[];
  /** The same as they came, to the byte. */
  readonly frames: readonly string[];
  /** Resolves with the first event, past or future, that passes. */
  until<Type extends ServerEvent["type"]>(
    type: Type,
    passes?: (event: Extract<ServerEvent, { type: Type }>) => boolean,
  ): Promise<Extract<ServerEvent, { type: Type }>>;
  send(frame: string | object): void;
  /** Resolves with the code when the socket is closed. */
  readonly closed: Promise<number>;
  close(): void;
}

interface SocketOptions {
  readonly path?: string;
  readonly origin?: string;
}

/** A Workers WebSocket, which the harness hands over in the answer to an upgrade. */
interface AnsweredSocket extends Pick<WebSocket, "addEventListener" | "send" | "close"> {
  accept(): void;
}

/** Opens a socket as a member and resolves when it is ready; rejects when the upgrade is refused. */
export async function openSocket(
  worker: TestWorker,
  member: Pick<TestMember, "brand" | "cookie">,
  options: SocketOptions = {},
): Promise<TestSocket> {
  const site = `http://${member.brand}.localhost`;
  const answer = await worker.fetch(`${site}${options.path ?? "/ws"}`, {
    headers: {
      upgrade: "websocket",
      "x-development-quotas": "off",
      cookie: member.cookie,
      origin: options.origin ?? site,
    },
  });
  const socket = (answer as Response & { webSocket?: AnsweredSocket | null }).webSocket;
  if (!socket) throw new Error(`the socket was refused with ${answer.status}`);
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
    until: (type, passes = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = events.find((event) => event.type === type && passes(event as never));
          if (!found) return;
          listeners.delete(look);
          resolve(found as never);
        };
        listeners.add(look);
        look();
      }),
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    close: () => socket.close(),
  };
  socket.accept();
  await test.until("ready");
  return test;
}
