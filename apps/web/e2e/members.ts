import { type BrandId, getBrand } from "@lambda/brands";
import type { OwnPicture } from "@lambda/contract/pictures";
import type { TestSite } from "@lambda/testing/browser";
import { type InsertedMember, insertMember, insertSession } from "@lambda/testing/members";
import { quickHash } from "@lambda/testing/password";
import type { BrowserContext } from "playwright-core";

export const PASSWORD = "correct horse battery";

export type BrowserMember = InsertedMember;

let memberCount = 0;

/**
 * Creates a member directly in the database, without registration. `sharingUndecided`: the member has not chosen yet
 * whether sister brands may show them.
 */
export async function makeMember(
  site: Pick<TestSite, "run">,
  overrides: { name?: string; email?: string; admin?: boolean; password?: boolean; sharingUndecided?: boolean } = {},
): Promise<BrowserMember> {
  memberCount += 1;
  return insertMember(site.run, {
    name: overrides.name ?? "Marco",
    realName: "Real Name",
    passwordHash: overrides.password ? quickHash(PASSWORD) : null,
    adminBrand: overrides.admin ? "ember" : null,
    sharingChosen: overrides.sharingUndecided ? null : Date.now(),
    randomOrder: memberCount,
    ...(overrides.email !== undefined && { email: overrides.email }),
  });
}

interface LogInOptions {
  /** Whether the session is as new as right after a login. */
  readonly freshProof?: boolean;
  readonly brand?: BrandId;
}

/** Gives a browser a session of the member. */
export async function logIn(
  site: Pick<TestSite, "run">,
  context: BrowserContext,
  member: BrowserMember,
  { freshProof = false, brand = "ember" }: LogInOptions = {},
): Promise<void> {
  const token = await insertSession(site.run, member.id, { brand, freshProof, device: "Test browser" });
  const shared = { domain: `${getBrand(brand).id}.localhost`, path: "/", sameSite: "Lax" as const };
  await context.addCookies([
    { name: "plain_session", value: token, httpOnly: true, ...shared },
    { name: "logged_in", value: "1", ...shared },
  ]);
}

/** Sends requests as a member, without a browser. */
export interface MemberApi {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  upload(file: Buffer, options?: { audience?: string; nsfw?: boolean }): Promise<OwnPicture>;
}

/** @param token of an existing session; a new session is created without it */
export async function apiFor(
  site: Pick<TestSite, "run" | "port">,
  { id }: Pick<BrowserMember, "id">,
  token?: string,
): Promise<MemberApi> {
  const session = token ?? (await insertSession(site.run, id));
  // Node does not resolve names under .localhost; plain localhost serves the first brand too.
  const base = `http://localhost:${site.port}`;
  const call = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("cookie", `plain_session=${session}`);
    headers.set("origin", base);
    return fetch(base + path, { ...init, headers });
  };
  return {
    fetch: call,
    upload: async (file, { audience = "public", nsfw = false } = {}) => {
      const form = new FormData();
      form.set("authorProfileId", String(id));
      form.set("audience", audience);
      if (nsfw) form.set("nsfw", "true");
      form.set("picfile", new File([Uint8Array.from(file)], "picture.jpg"));
      const response = await call("/api/profile-pic", { method: "POST", body: form });
      if (response.status !== 201) throw new Error(`upload failed with ${response.status}: ${await response.text()}`);
      return (await response.json()) as OwnPicture;
    },
  };
}
