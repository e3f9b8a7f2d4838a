import { matchRoute } from "./routing/match-route.ts";
import { SCREENS } from "./screens.ts";

/** Loads the code for the screen at a path. Never rejects: the screen itself reports the failure. */
export async function preloadPath(path: string): Promise<void> {
  await SCREENS[matchRoute(path).path].preload();
}
