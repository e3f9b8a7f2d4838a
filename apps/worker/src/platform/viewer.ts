import type { Selectable } from "kysely";
import type { AccountTable, PositionRow, TravelStayRow } from "./db/tables.ts";

/** The part of an account that its member's cells depend on. */
export type LatticeOwner = Pick<Selectable<AccountTable>, "email" | "lattice_seed">;

/** What a member's cells are made of, as it is stored, and whether they are where cells are coarser. */
export interface PlacesRow extends LatticeOwner {
  readonly sealed: Uint8Array | null;
  readonly stay: TravelStayRow | null;
}

/** The member behind a request. */
export interface Viewer {
  readonly sessionId: number;
  /** The id of the account and of the profile. */
  readonly profileId: number;
  readonly adminBrand: string | null;
  readonly status: "active" | "suspended" | "banned" | "deleted";
  readonly statusUntil: number | null;
  readonly hidden: boolean;
  /** Brands (bit set) that list the member. */
  readonly listedOn: number;
  /** The time that others see of their last visit moves with this request. */
  readonly seenAnew: boolean;
  /** When this session last proved that its owner asks: at its login, or later (members/sessions/fresh.ts). */
  readonly provedAt: number;
  /** The viewer's own reporting state, here because most calls measure from it: searching needs no round trip to find it. */
  readonly position: PositionRow | null;
  /** What the viewer's cells are made of; read along when the request is about their own position. */
  readonly places?: PlacesRow;
}
