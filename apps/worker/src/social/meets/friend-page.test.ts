import { expect, it } from "vitest";
import type { Env } from "../../platform/env.ts";
import { findFriendHost, friendOrigin } from "./friend-page.ts";

const ID = "A".repeat(22);
const ask = (url: string, MEET_ORIGIN?: string) => findFriendHost(new Request(url), { MEET_ORIGIN } as Env);

it("serves the friend's page, its files and its calls on a neutral host, and nothing else there", () => {
  const origin = "https://plans.example";
  for (const path of [
    `/meet/${ID}`,
    "/meet/page.js",
    "/meet/page.css",
    "/meet/wake.js",
    "/api/meet/read",
    "/api/meet/answer",
  ])
    expect(ask(origin + path, origin)).toBe("served");
  for (const path of [
    "/",
    "/login",
    "/api/meet",
    "/api/meet/status",
    "/meet/short",
    "/manifest.webmanifest",
    "/trpc/meets.read",
  ])
    expect(ask(origin + path, origin)).toBe("refused");
  for (const url of [`https://ember.example/meet/${ID}`, `http://plans.example/meet/${ID}`])
    expect(ask(url, origin)).toBe("none");
  expect(ask(`${origin}/meet/${ID}`)).toBe("none");
});

it("takes an origin or nothing", () => {
  expect(friendOrigin({ MEET_ORIGIN: "" })).toBeUndefined();
  for (const wrong of ["plans.example", "https://plans.example/", "https://plans.example/x"])
    expect(() => friendOrigin({ MEET_ORIGIN: wrong })).toThrow("MEET_ORIGIN");
});
