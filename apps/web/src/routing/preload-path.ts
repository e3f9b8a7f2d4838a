import { matchRoute } from "./match-route.ts";
import { SCREENS } from "./screens.ts";

/** Loads all that the screen of a path needs; never fails, as the screen itself says what is wrong. */
export async function preloadPath(path: string): Promise<void> {
  await SCREENS[matchRoute(path).path].preload();
}
