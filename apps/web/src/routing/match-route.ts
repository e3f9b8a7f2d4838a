import { type Access, type AppRoute, NOT_FOUND, ROUTES } from "./routes.ts";

/** The route of a path; a trailing slash changes nothing, letter case does. */
export function matchRoute(path: string): AppRoute {
  const parts = segments(path);
  return ROUTES.find((route) => fits(segments(route.path), parts)) ?? NOT_FOUND;
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

function segments(path: string): string[] {
  return path.split("/").filter(Boolean);
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  if (parts.length > pattern.length) return false;
  return pattern.every((segment, at) => {
    const part = parts[at];
    if (segment.startsWith(":")) return part !== undefined || segment.endsWith("?");
    return segment === part;
  });
}
