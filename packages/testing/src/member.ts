import { randomInt } from "node:crypto";
import { ALL_BRANDS_MASK, type BrandId } from "@lambda/brands";
import { createMember, createSession, type MemberOverrides } from "./members.ts";
import type { TestWorker } from "./worker.ts";

export type { MemberOverrides } from "./members.ts";

/** A member with a session: every call carries the session cookie and a same-origin Origin. */
export interface TestMember {
  readonly id: number;
  readonly email: string;
  readonly brand: BrandId;
  readonly cookie: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  get<T>(path: string): Promise<T>;
  /** PUT, POST or DELETE with a JSON body; throws nothing, so that a test can look at the status. */
  send(method: "PUT" | "POST" | "DELETE", path: string, body?: unknown): Promise<Response>;
  /** The same member asking on another brand, with a session there. */
  on(brand: BrandId): Promise<TestMember>;
}

export const ALL_BRANDS = ALL_BRANDS_MASK;

/** Makes a member with account, profile and session in the database, and a client that acts as this member. */
export async function as(worker: TestWorker, overrides: MemberOverrides = {}): Promise<TestMember> {
  const { id, email } = await createMember(worker.run, overrides);
  return withSession(worker, id, email, overrides.brand ?? "ember", overrides.proved ?? false);
}

/** A session of a member who is there already. */
export function signIn(worker: TestWorker, id: number, brand: BrandId = "ember"): Promise<TestMember> {
  return withSession(worker, id, "", brand, false);
}

async function withSession(
  worker: TestWorker,
  id: number,
  email: string,
  brand: BrandId,
  proved: boolean,
): Promise<TestMember> {
  const token = await createSession(worker.run, id, { brand, proved });
  const cookie = `__Host-session=${token}`;
  const origin = `http://${brand}.localhost`;
  // Each member has a network address, so that caps by address do not couple tests.
  const ip = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const fetch = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("cookie", cookie);
    if (!headers.has("origin")) headers.set("origin", origin);
    headers.set("cf-connecting-ip", ip);
    // Tests of quotas say "on".
    if (!headers.has("x-development-quotas")) headers.set("x-development-quotas", "off");
    return worker.fetch(`${origin}${path}`, { redirect: "manual", ...init, headers });
  };
  return {
    id,
    email,
    brand,
    cookie,
    fetch,
    get: async <T>(path: string) => {
      const response = await fetch(path);
      if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as T;
    },
    send: (method, path, body) =>
      fetch(path, {
        method,
        ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      }),
    on: (other) => withSession(worker, id, email, other, proved),
  };
}
