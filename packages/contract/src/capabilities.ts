/** What decides the viewer's rights. `brand` is the brand of the request. */
export interface ViewerRights {
  readonly loggedIn: boolean;
  /** The brand that the viewer administers, "*" for a network admin, null for everybody else. */
  readonly adminBrand: string | null;
  readonly brand: string;
}

export type Capability = "administer-brand" | "administer-network";

/** The only place that turns roles into rights: other code calls `can(...)` and never compares roles. */
export function can(viewer: ViewerRights, capability: Capability): boolean {
  switch (capability) {
    case "administer-brand":
      return viewer.loggedIn && (viewer.adminBrand === "*" || viewer.adminBrand === viewer.brand);
    case "administer-network":
      return viewer.loggedIn && viewer.adminBrand === "*";
  }
}

export const ROLES = ["USER", "ADMIN"] as const;
export type Role = (typeof ROLES)[number];

export const rolesOf = (viewer: ViewerRights): Role[] =>
  can(viewer, "administer-brand") ? ["USER", "ADMIN"] : ["USER"];
