import { expect, it } from "vitest";
import type { Env } from "../../platform/env.ts";
import { classifyFriendRequest, friendOrigin } from "./friend-page.ts";

const ID = "A".repeat(22);
const classify = (url: string, MEET_ORIGIN?: string) => classifyFriendRequest(new Request(url), { MEET_ORIGIN } as Env);

it("serves only the friend's page, its files and its calls on the neutral host", () => {
  const origin = "https://plans.example";
  for (const path of [
    `/meet/${ID}`,
    "/meet/page.js",
    "/meet/page.css",
    "/meet/wake.js",
    "/assets/friend-a1b2_-c.js",
    "/assets/a1b2_-c.css",
    "/api/meet/read",
    "/api/meet/answer",
  ])
    expect(classify(origin + path, origin)).toBe("served");
  for (const path of [
    "/",
    "/login",
    "/api/meet",
    "/api/meet/status",
    "/meet/short",
    "/assets/index-a1b2c3d.js",
    "/manifest.webmanifest",
    "/trpc/meets.read",
  ])
    expect(classify(origin + path, origin)).toBe("refused");
  for (const url of [`https://ember.example/meet/${ID}`, `http://plans.example/meet/${ID}`])
    expect(classify(url, origin)).toBe("none");
  expect(classify(`${origin}/meet/${ID}`)).toBe("none");
});

it("accepts only an origin or no value as MEET_ORIGIN", () => {
  expect(friendOrigin({ MEET_ORIGIN: "" })).toBeUndefined();
  for (const wrong of ["plans.example", "https://plans.example/", "https://plans.example/x"])
    expect(() => friendOrigin({ MEET_ORIGIN: wrong })).toThrow("MEET_ORIGIN");
});
