/** Redis GEOSEARCH: a server of our own on a free port, and as much of its protocol as the benchmark needs. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@lambda/testing/site";

export interface Redis {
  /** One command; arrays of strings come back as such. */
  send(...parts: (string | number)[]): Promise<string[]>;
  /** Microseconds that a command has taken inside the server so far. */
  usec(command: string): Promise<number>;
  close(): Promise<void>;
}

export async function openRedis(): Promise<Redis> {
  const directory = mkdtempSync(join(tmpdir(), "bench-redis-"));
  const port = await freePort();
  const server = spawn(
    "redis-server",
    ["--port", String(port), "--save", "", "--appendonly", "no", "--dir", directory],
    {
      stdio: "ignore",
    },
  );
  const failed = new Promise<never>((_, reject) => server.once("error", reject));
  const socket = await Promise.race([connectTo(port), failed]);
  let buffer = "";
  const waiting: ((reply: string[]) => void)[] = [];
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    buffer += chunk;
    for (let reply = parse(buffer); reply && waiting.length > 0; reply = parse(buffer)) {
      buffer = buffer.slice(reply.length);
      waiting.shift()!(reply.values);
    }
  });
  const send = (...parts: (string | number)[]) =>
    new Promise<string[]>((resolve) => {
      waiting.push(resolve);
      socket.write(`*${parts.length}\r\n${parts.map((part) => `$${String(part).length}\r\n${part}\r\n`).join("")}`);
    });
  return {
    send,
    usec: async (command) => {
      const [text = ""] = await send("INFO", "commandstats");
      return Number(new RegExp(`cmdstat_${command}:calls=\\d+,usec=(\\d+)`).exec(text)?.[1] ?? 0);
    },
    close: async () => {
      socket.destroy();
      server.kill();
      await new Promise((resolve) => server.once("exit", resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function connectTo(port: number): Promise<Socket> {
  for (let attempt = 0; ; attempt += 1) {
    const socket = connect(port, "127.0.0.1");
    const opened = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (opened) return socket;
    if (attempt > 100) throw new Error("redis-server does not answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The first whole reply of a buffer, if it is there: simple strings, integers, bulk strings, and flat arrays of those. */
function parse(buffer: string): { values: string[]; length: number } | undefined {
  const values: string[] = [];
  let at = 0;
  let left = 1;
  while (left > 0) {
    const end = buffer.indexOf("\r\n", at);
    if (end < 0) return undefined;
    const head = buffer.slice(at + 1, end);
    const kind = buffer[at];
    at = end + 2;
    left -= 1;
    if (kind === "-") throw new Error(head);
    if (kind === "*") left += Number(head);
    else if (kind === "$") {
      const length = Number(head);
      if (buffer.length < at + length + 2) return undefined;
      values.push(buffer.slice(at, at + length));
      at += length + 2;
    } else values.push(head);
  }
  return { values, length: at };
}
