/** The viewer's roles. `brand` is the brand of the request. */
export interface Rights {
  readonly loggedIn: boolean;
  /** null: no admin; "*": network admin; else the brand that the viewer administers. */
  readonly adminBrand: string | null;
  readonly brand: string;
}

export type Capability = "use-community" | "administer-brand" | "administer-network";

/** The one place that turns roles into rights; the code asks `can(...)` and never compares roles. */
export function can(viewer: Rights, capability: Capability): boolean {
  switch (capability) {
    case "use-community":
      return viewer.loggedIn;
    case "administer-brand":
      return viewer.loggedIn && (viewer.adminBrand === "*" || viewer.adminBrand === viewer.brand);
    case "administer-network":
      return viewer.loggedIn && viewer.adminBrand === "*";
  }
}

export const ROLES = ["USER", "ADMIN"] as const;
export type Role = (typeof ROLES)[number];

/** The roles as this brand sees them. */
export function rolesOf(viewer: Rights): Role[] {
  return can(viewer, "administer-brand") ? ["USER", "ADMIN"] : ["USER"];
}
