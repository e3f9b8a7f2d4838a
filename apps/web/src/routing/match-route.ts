import { fitsPage } from "@lambda/contract/page-paths";
import { type Access, type AppRoute, NOT_FOUND, ROUTES } from "./routes.ts";

/** The route of a path; a trailing slash changes nothing, letter case does. */
export function matchRoute(path: string): AppRoute {
  return ROUTES.find((route) => fitsPage(route.path, path)) ?? NOT_FOUND;
}

export interface Viewer {
  readonly loggedIn: boolean;
  readonly isAdmin: boolean;
}

/** Whether a viewer may open what has this access; navigation shows only such entries. */
export function mayOpen(access: Access, viewer: Viewer): boolean {
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
