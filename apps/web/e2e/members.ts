import { createHash, randomBytes } from "node:crypto";
import { type BrandId, getBrand } from "@lambda/brands";
import type { TestSite } from "@lambda/testing/browser";
import { hashPassword } from "@lambda/worker/passwords";
import type { BrowserContext } from "playwright-core";

export const PASSWORD = "correct horse battery";

export interface BrowserMember {
  readonly id: number;
  readonly email: string;
}

/**
 * A member made in the database: tests of what comes after the door need not walk through it each time. `unasked`: he has not said yet
 * whether sister brands may show him.
 */
export async function makeMember(
  site: TestSite,
  overrides: { name?: string; email?: string; admin?: boolean; password?: boolean; unasked?: boolean } = {},
): Promise<BrowserMember> {
  const email = overrides.email ?? `member-${randomBytes(6).toString("hex")}@example.test`;
  const now = Date.now();
  const hash = overrides.password ? await hashPassword(PASSWORD) : null;
  await site.sql(
    "insert into account (email, name, password_hash, home_brand, admin_brand, ts_sharing_chosen, ts_created) values (?, 'Real Name', ?, 'ember', ?, ?, ?)",
    ...[email, hash, overrides.admin ? "ember" : null, overrides.unasked ? null : now, now],
  );
  const [account] = await site.sql<{ id: number }>("select id from account where email = ?", email);
  if (!account) throw new Error("no account was made");
  await site.sql(
    "insert into profile (id, profile_name, birthdate, shared_on, random_order, ts_seen, ts_updated) values (?, ?, '1990-05-17', 1, ?, ?, ?)",
    ...[account.id, overrides.name ?? "Marco", account.id, now, now],
  );
  return { id: account.id, email };
}

/** Gives a browser a session of the member. `viaLink`: as if he had just opened a login link. */
export async function logIn(
  site: TestSite,
  context: BrowserContext,
  member: BrowserMember,
  { viaLink = false, brand = "ember" as BrandId } = {},
): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const now = Date.now();
  await site.sql(
    "insert into session (token_hash, account_id, brand, device_label, remember, via_link, ts_created, ts_last_used, ts_expires) values (unhex(?), ?, ?, 'Test browser', 1, ?, ?, ?, ?)",
    ...[
      createHash("sha256").update(token).digest("hex"),
      member.id,
      brand,
      viaLink ? 1 : 0,
      now,
      now,
      now + 86_400_000,
    ],
  );
  const shared = { domain: `${getBrand(brand).id}.localhost`, path: "/", secure: true, sameSite: "Lax" as const };
  await context.addCookies([
    { name: "__Host-session", value: token, httpOnly: true, ...shared },
    { name: "logged_in", value: "1", ...shared },
  ]);
}
