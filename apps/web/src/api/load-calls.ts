import { lazyComponent } from "../routing/lazy-screen.ts";

/**
 * Around every screen that makes calls. Its chunk is asked for by the first that needs it, and as soon as a visitor touches the
 * form of the login.
 */
export const Calls = lazyComponent(() => import("./Calls.tsx"));
