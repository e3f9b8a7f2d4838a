import { Calls } from "../api/load-calls.ts";
import { hasSession } from "../session/session.ts";
import { makesCalls, matchRoute } from "./match-route.ts";
import { SCREENS } from "./screens.ts";

/** Loads all that the screen of a path needs; never fails, as the screen itself says what is wrong. */
export async function preloadPath(path: string): Promise<void> {
  const route = matchRoute(path);
  await Promise.all([SCREENS[route.path].preload(), makesCalls(route, hasSession()) && Calls.preload()]);
}
