import { describe, expect, it } from "vitest";
import { canOpen, matchRoute } from "./match-route.ts";
import { NOT_FOUND, ROUTES } from "./routes.ts";

const VISITOR = { loggedIn: false, isAdmin: false };
const MEMBER = { loggedIn: true, isAdmin: false };
const ADMIN = { loggedIn: true, isAdmin: true };

/** The specified access of each path. */
const EXPECTED_ACCESS: Record<string, string> = {
  "/": "open",
  "/login": "visitor",
  "/register": "open",
  "/welcome": "user",
  "/logout": "user",
  "/dashboard": "admin",
  "/search/map": "user",
  "/search/tile": "user",
  "/search/swype": "user",
  "/search/profile": "user",
  "/likes/profilelikedyou": "user",
  "/likes/profilelikedyourpics": "user",
  "/likes/youlikedprofile": "user",
  "/likes/youlikedprofilepics": "user",
  "/games": "user",
  "/games/gptbuster": "user",
  "/games/ratinggame": "user",
  "/games/photocrop": "user",
  "/games/arbitration": "user",
  "/games/cooties": "user",
  "/games/hotornot": "user",
  "/games/identify": "user",
  "/games/dungeon": "user",
  "/games/health": "user",
  "/chat/personal": "user",
  "/chat/broadcast": "user",
  "/notifications": "user",
  "/notes": "user",
  "/profile/17": "user",
  "/profile": "user",
  "/profileEdit": "user",
  "/profilePicEdit": "user",
  "/profilePicCarousel": "user",
  "/profilePicRateSwipe": "user",
  "/profilePicUpload": "user",
  "/settings": "user",
  "/import": "user",
  "/aboutus": "open",
  "/tos": "open",
  "/contactus": "user",
  "/support": "open",
  "/billing": "user",
  "/sorry": "open",
  "/transparency": "open",
  "/age": "open",
  "/remove-image": "open",
  "/notice": "open",
  "/notice/0123456789": "open",
  "/legalnotice": "open",
  "/safety": "open",
  "/travel": "user",
  "/travel/here": "user",
};

describe("matchRoute", () => {
  it("finds every specified path with its access", () => {
    const actual = Object.fromEntries(Object.keys(EXPECTED_ACCESS).map((path) => [path, matchRoute(path).access]));
    expect(actual).toEqual(EXPECTED_ACCESS);
    for (const path of Object.keys(EXPECTED_ACCESS)) expect(matchRoute(path), path).not.toBe(NOT_FOUND);
  });

  it("has no duplicate path and a title in both languages for each route", () => {
    expect(new Set(ROUTES.map((route) => route.path)).size).toBe(ROUTES.length);
    for (const { title } of ROUTES) expect(title.en && title.es).toBeTruthy();
  });

  it("ignores a trailing slash and returns the 404 route for everything else", () => {
    expect(matchRoute("/games/").path).toBe("/games");
    for (const path of [
      "/Games",
      "/games/none",
      "/profile/1/2",
      "/search",
      "/admin",
      "//",
      "/search//tile",
      "/games//",
      "/profile//",
      "/gamesx",
      "/%zz",
    ]) {
      expect(matchRoute(path), path).toBe(NOT_FOUND);
    }
  });
});

describe("canOpen", () => {
  it("allows each access level only to the viewers it is meant for", () => {
    const open = (["open", "visitor", "user", "admin"] as const).map((access) =>
      [VISITOR, MEMBER, ADMIN].map((viewer) => canOpen(access, viewer)),
    );
    expect(open).toEqual([
      [true, true, true],
      [true, false, false],
      [false, true, true],
      [false, false, true],
    ]);
  });
});
