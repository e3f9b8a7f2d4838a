import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/** The pattern of the route that a request is for, though a middleware of a wider one answered it. No part of the URL itself. */
export function routeOf(c: Context): string {
  const paths = matchedRoutes(c).map(({ path }) => path);
  return paths.find((path) => !path.endsWith("*")) ?? paths.find((path) => path !== "*" && path !== "/*") ?? "*";
}
