import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/** The most specific route pattern that matches a request, even if a middleware responded. Contains no part of the URL itself. */
export function routePattern(c: Context): string {
  const paths = matchedRoutes(c).map(({ path }) => path);
  return paths.find((path) => !path.endsWith("*")) ?? paths.find((path) => path !== "*" && path !== "/*") ?? "*";
}
