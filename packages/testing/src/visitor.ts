import { randomInt } from "node:crypto";
import type { BrandId } from "@lambda/brands";
import type { TestWorker } from "./worker.ts";

/** Someone without a session. */
export interface TestVisitor {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(method: "PUT" | "POST" | "DELETE", path: string, body?: unknown): Promise<Response>;
}

export function asVisitor(worker: TestWorker, brand: BrandId = "ember"): TestVisitor {
  const origin = `http://${brand}.localhost`;
  const ip = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const fetch = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has("origin")) headers.set("origin", origin);
    headers.set("cf-connecting-ip", ip);
    return worker.fetch(`${origin}${path}`, { redirect: "manual", ...init, headers });
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

/** The mails sent so far, newest first; waits until one to this address is there. */
export async function waitForMail(worker: TestWorker, to: string): Promise<{ subject: string; text: string }> {
  const deadline = Date.now() + 5000;
  while (Date.now() < deadline) {
    const response = await worker.fetch("http://ember.localhost/dev/mail.json");
    const mails = (await response.json()) as { to: string; subject: string; text: string }[];
    const mail = mails.find((candidate) => candidate.to === to);
    if (mail) return mail;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no mail to ${to}`);
}
