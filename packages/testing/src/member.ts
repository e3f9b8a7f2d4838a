import { randomInt } from "node:crypto";
import type { BrandId } from "@lambda/brands";
import { insertMember, insertSession, type MemberOverrides } from "./members.ts";
import { requireRoute } from "./require-route.ts";
import type { TestWorker } from "./worker.ts";

export type { MemberOverrides } from "./members.ts";

/** A logged-in member. Every request carries their session cookie and the Origin of their brand. */
export interface TestMember {
  readonly id: number;
  readonly email: string;
  readonly brand: BrandId;
  readonly cookie: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Returns the response's JSON; throws unless the status is 2xx. */
  get<T>(path: string): Promise<T>;
  /** Sends a JSON body and returns the response, whatever its status. */
  send(method: "PUT" | "POST" | "DELETE", path: string, body?: unknown): Promise<Response>;
  /** The same member with a session on another brand. */
  onBrand(brand: BrandId): Promise<TestMember>;
  /** The same session whose requests carry another cookie too. */
  withCookie(cookie: string): TestMember;
}

/**
 * Creates a member with account, profile and session in the database, and returns a client that acts as this member.
 */
export async function createMember(worker: TestWorker, overrides: MemberOverrides = {}): Promise<TestMember> {
  const { id, email } = await insertMember(worker.run, overrides);
  return openSession(worker, id, email, overrides.brand ?? "ember", overrides.freshProof ?? false);
}

/** Logs in an existing member, whose `email` the returned client does not know. */
export function logIn(worker: TestWorker, id: number, brand: BrandId = "ember"): Promise<TestMember> {
  return openSession(worker, id, "", brand, false);
}

/** The same member, for whom quotas apply as for a real browser. */
export function withQuotas(member: TestMember): TestMember {
  const fetch: TestMember["fetch"] = (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("x-development-quotas", "on");
    return member.fetch(path, { ...init, headers });
  };
  return {
    ...member,
    fetch,
    send: (method, path, body) =>
      fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  };
}

async function openSession(
  worker: TestWorker,
  id: number,
  email: string,
  brand: BrandId,
  freshProof: boolean,
): Promise<TestMember> {
  const token = await insertSession(worker.run, id, { brand, freshProof });
  // Each member has their own IP address, so that limits per address do not couple tests.
  const ip = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  return actAs(worker, { id, email, brand, freshProof, ip }, `__Host-session=${token}`);
}

interface Identity extends Pick<TestMember, "id" | "email" | "brand"> {
  readonly freshProof: boolean;
  readonly ip: string;
}

function actAs(worker: TestWorker, identity: Identity, cookie: string): TestMember {
  const { id, email, brand, freshProof, ip } = identity;
  const origin = `http://${brand}.localhost`;
  const fetch = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("cookie", cookie);
    if (!headers.has("origin")) headers.set("origin", origin);
    headers.set("cf-connecting-ip", ip);
    // Tests of quotas set this header to "on".
    if (!headers.has("x-development-quotas")) headers.set("x-development-quotas", "off");
    return requireRoute(
      await worker.fetch(`${origin}${path}`, { redirect: "manual", ...init, headers }),
      path,
      headers,
    );
  };
  return {
    id,
    email,
    brand,
    cookie,
    fetch,
    get: async <T>(path: string) => {
      const response = await fetch(path);
      if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${await response.text()}`);
      return (await response.json()) as T;
    },
    send: (method, path, body) =>
      fetch(path, {
        method,
        ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      }),
    onBrand: (other) => openSession(worker, id, email, other, freshProof),
    withCookie: (other) => actAs(worker, identity, `${cookie}; ${other}`),
  };
}
