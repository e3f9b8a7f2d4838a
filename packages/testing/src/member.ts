import { createHash, randomBytes, randomInt } from "node:crypto";
import { ALL_BRANDS_MASK, type BrandId, getBrand } from "@lambda/brands";
import type { TestWorker } from "./worker.ts";

/** What a test member may differ in. */
export interface MemberOverrides {
  readonly name?: string;
  readonly email?: string;
  readonly brand?: BrandId;
  /** Brand bits; by default the home brand only. */
  readonly sharedOn?: number;
  readonly adminBrand?: BrandId | "*" | null;
  readonly birthdate?: string | null;
  readonly status?: "active" | "suspended" | "banned" | "deleted";
  readonly hidden?: boolean;
  readonly characteristics?: number;
  readonly passwordHash?: string | null;
  readonly viaLink?: boolean;
  readonly created?: number;
}

/** A member with a session of his own: every call carries his cookie and a same-origin Origin. */
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

let count = 0;

/** Makes a member with account, profile and session in the database, and a client that acts as him. */
export async function as(worker: TestWorker, overrides: MemberOverrides = {}): Promise<TestMember> {
  count += 1;
  const now = overrides.created ?? Date.now();
  const brand = getBrand(overrides.brand ?? "ember");
  const email = overrides.email ?? `member${count}-${randomInt(1e9)}@example.test`;
  const { DB } = worker.env;
  const account = await DB.prepare(
    "insert into account (email, name, password_hash, home_brand, admin_brand, ts_created, ts_deleted) values (?, ?, ?, ?, ?, ?, ?) returning id",
  )
    .bind(
      email,
      `Real ${count}`,
      overrides.passwordHash ?? null,
      brand.id,
      overrides.adminBrand ?? null,
      now,
      overrides.status === "deleted" ? now : null,
    )
    .first<{ id: number }>();
  if (!account) throw new Error("no account made");
  await DB.prepare(
    `insert into profile (id, profile_name, birthdate, characteristics, status, hidden, shared_on, random_order, ts_seen, ts_updated)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
    .bind(
      account.id,
      overrides.name ?? `Member ${count}`,
      overrides.birthdate === undefined ? "1990-05-17" : overrides.birthdate,
      overrides.characteristics ?? 0,
      overrides.status ?? "active",
      overrides.hidden ? 1 : 0,
      overrides.sharedOn ?? brand.bit,
      randomInt(2 ** 32),
      now - (now % 900_000),
      now,
    )
    .run();
  return withSession(worker, account.id, email, brand.id, overrides.viaLink ?? false);
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
  viaLink: boolean,
): Promise<TestMember> {
  const token = randomBytes(32).toString("base64url");
  const now = Date.now();
  await worker.env.DB.prepare(
    `insert into session (token_hash, account_id, brand, device_label, remember, via_link, ts_created, ts_last_used, ts_expires)
     values (?, ?, ?, 'Test', 1, ?, ?, ?, ?)`,
  )
    .bind(createHash("sha256").update(token).digest(), id, brand, viaLink ? 1 : 0, now, now, now + 86_400_000)
    .run();
  const cookie = `__Host-session=${token}`;
  const origin = `http://${brand}.localhost`;
  // Each member has a network address of his own, so that caps by address do not couple tests.
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
    on: (other) => withSession(worker, id, email, other, viaLink),
  };
}
