import { type Access, matchesPagePath } from "@lambda/contract/pages";
import { type AppRoute, NOT_FOUND, ROUTES } from "./routes.ts";

/** The route for a path. Ignores a trailing slash, but is case-sensitive. */
export function matchRoute(path: string): AppRoute {
  return ROUTES.find((route) => matchesPagePath(route.path, path)) ?? NOT_FOUND;
}

export interface Viewer {
  readonly loggedIn: boolean;
  readonly isAdmin: boolean;
}

/** Whether a viewer may open a route with this access. The navigation shows only those. */
export function canOpen(access: Access, viewer: Viewer): boolean {
  switch (access) {
    case "open":
      return true;
    case "visitor":
      return !viewer.loggedIn;
    case "user":
      return viewer.loggedIn;
    case "admin":
      return viewer.isAdmin;
  }
}
