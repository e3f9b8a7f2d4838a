import type { Selectable } from "kysely";
import type { AccountTable, PositionRow, TravelStayRow } from "./db/tables.ts";

/** The account columns that determine a member's cells. */
export type LatticeOwner = Pick<Selectable<AccountTable>, "id" | "email" | "lattice_seed" | "lattices">;

/** The stored data that determines a member's cells, including a stay that makes them coarser. */
export interface PlacesRow extends LatticeOwner {
  readonly sealed: Uint8Array | null;
  readonly stay: TravelStayRow | null;
}

export interface Viewer {
  readonly sessionId: number;
  /** The id of the account and of the profile. */
  readonly profileId: number;
  readonly adminBrand: string | null;
  readonly status: "active" | "suspended" | "banned" | "deleted";
  readonly statusUntil: number | null;
  /** Nobody sees the member: they hide, or staff restrict the account. */
  readonly hidden: boolean;
  /** The member's own choice, which a restriction leaves as it is. */
  readonly hides: boolean;
  /** Only the few to whom they showed themselves see the member, unless they hide. */
  readonly discreet: boolean;
  /** Brands (bit set) on which everybody sees the member, and on which only those few do. */
  readonly listedOn: number;
  readonly fewOn: number;
  /** This request updates the last-seen time that others see. */
  readonly updatesLastSeen: boolean;
  /** When the session's owner last proved their identity, at login or later (accounts/sessions/fresh.ts). */
  readonly provedAt: number;
  /** Hash of the secret that each request must show, because the session's device has an app lock; null without a lock. */
  readonly lockHash: string | null;
  /** The viewer's own position, loaded here because most calls measure distances from it: a search saves a round trip. */
  readonly position: PositionRow | null;
  /** The stored data of the viewer's cells; loaded when the request is about their own position. */
  readonly places?: PlacesRow;
}
