import { randomInt } from "node:crypto";
import type { BrandId } from "@lambda/brands";
import { requireRoute } from "./require-route.ts";
import type { TestWorker } from "./worker.ts";

/** A client without a session. */
export interface TestVisitor {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(method: "PUT" | "POST" | "DELETE", path: string, body?: unknown): Promise<Response>;
}

/** By default from a network of its own. */
export function createVisitor(worker: TestWorker, brand: BrandId = "ember", ip: string = randomIp()): TestVisitor {
  const origin = `http://${brand}.localhost`;
  const fetch = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has("origin")) headers.set("origin", origin);
    headers.set("cf-connecting-ip", ip);
    return requireRoute(
      await worker.fetch(`${origin}${path}`, { redirect: "manual", ...init, headers }),
      path,
      headers,
    );
  };
  return {
    fetch,
    send: (method, path, body) =>
      fetch(path, {
        method,
        ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      }),
  };
}

export const randomIp = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Lists the mails sent to an address, newest first. */
export async function listMails(worker: TestWorker, to: string): Promise<Mail[]> {
  const response = await worker.fetch("http://ember.localhost/dev/mail.json");
  return ((await response.json()) as Mail[]).filter((mail) => mail.to === to);
}

/** Waits until an address has received more than `previousCount` mails, and returns the newest one. */
export async function waitForMail(worker: TestWorker, to: string, previousCount = 0): Promise<Mail> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const mails = await listMails(worker, to);
    if (mails[0] && mails.length > previousCount) return mails[0];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no mail to ${to}`);
}
