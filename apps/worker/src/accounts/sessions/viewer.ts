import type { Brand } from "@lambda/brands";
import { SEEN_ROUNDING_MS, SESSION_REMEMBERED_MS, SESSION_SHORT_MS, SESSION_TOUCH_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { type Database, indexedBy } from "../../platform/db/database.ts";
import type { PositionRow, ProfileRow } from "../../platform/db/tables.ts";
import { readCookie, SESSION_COOKIE, unlockHashOf } from "../../platform/http/cookies.ts";
import type { SessionCache } from "../../platform/replication/session-cache.ts";
import type { Viewer } from "../../platform/viewer.ts";
import { STAY_COLUMNS, toStay } from "../../visibility/stays/stay-rules.ts";
import { hashToken } from "./tokens.ts";

type SessionRow = NonNullable<Awaited<ReturnType<typeof findSessionRow>>>;
type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

/** Calls (REST and tRPC) that need the member's own cells, which are then read in the same round trip. */
const NEEDS_OWN_PLACES = /\/profile-position\/|positions\.(report|mine|places|forgetPlaces)|\/travel|travel\./;

/**
 * Finds the viewer of a request's session cookie on this brand; null without a cookie, and for an unknown or expired
 * session or one of another brand.
 */
export async function findViewer(
  db: Database,
  request: Request,
  brand: Brand,
  now: number,
  waitUntil: (work: Promise<unknown>) => void,
  session?: SessionCache,
): Promise<Viewer | null> {
  const token = readCookie(request, SESSION_COOKIE);
  if (!token || token.length > 100) return null;
  const withPlaces = NEEDS_OWN_PLACES.test(new URL(request.url).pathname);
  // Places are read anew each time, and not kept.
  const cache = withPlaces ? undefined : session;
  const known = cache?.current as SessionRow | undefined;
  const row = known ?? (await findSessionRow(db, await hashToken(token), withPlaces));
  const viewer = row && toViewer(db, row, { brand, now, waitUntil, unlockHash: await unlockHashOf(request) });
  if (!viewer) return null;
  // A kept row would be touched again by the next call.
  if (viewer.updatesLastSeen) cache?.forget();
  else if (!known) cache?.keep(row, viewer.profileId);
  return viewer;
}

interface ViewerOptions {
  readonly brand: Brand;
  readonly now: number;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly unlockHash: string | null;
}

/** Finds the viewer by the hash of the session's token, also of a locked session: the caller checks `lockHash`. */
export async function findViewerByTokenHash(
  db: Database,
  tokenHash: Uint8Array,
  options: ViewerOptions,
): Promise<Viewer | null> {
  const row = await findSessionRow(db, tokenHash, false);
  return row ? toViewer(db, row, options) : null;
}

function toViewer(db: Database, row: SessionRow, { brand, now, waitUntil, unlockHash }: ViewerOptions): Viewer | null {
  if (row.ts_expires <= now || row.brand !== brand.id || row.ts_deleted !== null) return null;

  // A locked session is in nobody's use.
  const isLocked = row.lock_hash !== null && row.lock_hash !== unlockHash;
  const updatesLastSeen = !isLocked && now - row.ts_last_used >= SESSION_TOUCH_MS;
  if (updatesLastSeen) waitUntil(touchSession(db, row.id, row.account_id, row.remember === 1, now));
  return {
    sessionId: row.id,
    profileId: row.account_id,
    adminBrand: row.admin_brand,
    status: currentStatus(row, now),
    statusUntil: row.ts_status_until,
    hidden: row.hidden === 1,
    hides: (row.own_hidden ?? row.hidden) === 1,
    discreet: row.discreet_on !== 0,
    listedOn: row.listed_on,
    fewOn: row.few_on,
    updatesLastSeen,
    provedAt: row.ts_proved,
    lockHash: row.lock_hash,
    position: toPosition(row),
    ...(row.email !== null && {
      places: {
        id: row.account_id,
        email: row.email,
        lattice_seed: row.lattice_seed,
        lattices: row.lattices,
        sealed: row.sealed,
        stay: toStay(row),
      },
    }),
  };
}

/** A suspension is over at its end, before the scheduled job that lifts it has run. */
export function currentStatus(
  { status, ts_status_until }: Pick<ProfileRow, "status" | "ts_status_until">,
  now: number,
): ProfileRow["status"] {
  return status === "suspended" && ts_status_until !== null && ts_status_until <= now ? "active" : status;
}

/** The same rule as a condition on a joined `profile` row: its current status is active, so that its sessions can be used. */
export function isCurrentlyActive(profile: string, now: number): RawBuilder<boolean> {
  const [status, until] = [sql.ref(`${profile}.status`), sql.ref(`${profile}.ts_status_until`)];
  return sql<boolean>`(${status} = 'active' or (${status} = 'suspended' and ${until} <= ${now}))`;
}

/**
 * Reads the session, the needed columns of account and profile, and the position if there is one: usually three rows.
 */
function findSessionRow(db: Database, tokenHash: Uint8Array, withPlaces: boolean) {
  return (
    db
      .selectFrom("session as s")
      .crossJoin("profile as p")
      .leftJoin(indexedBy("account", "a", "account_special"), (join) =>
        join
          .onRef("a.id", "=", "s.account_id")
          .on((eb) => eb.or([eb("a.admin_brand", "is not", null), eb("a.ts_deleted", "is not", null)])),
      )
      .leftJoin("position as o", "o.profile_id", "s.account_id")
      // Joins no row unless the member's places are needed.
      .leftJoin("account as h", (join) =>
        join.on("h.id", "=", sql<number>`case when ${withPlaces ? 1 : 0} then s.account_id end`),
      )
      .leftJoin("place_memory as m", "m.profile_id", "h.id")
      .leftJoin("travel_stay as t", "t.profile_id", "h.id")
      .select(["s.id", "s.account_id", "s.brand", "s.remember", "s.ts_proved", "s.ts_last_used", "s.lock_hash"])
      .select([
        "s.ts_expires",
        "a.admin_brand",
        "a.ts_deleted",
        "p.status",
        "p.ts_status_until",
        "p.hidden",
        "p.own_hidden",
        "p.listed_on",
        "p.discreet_on",
        "p.few_on",
      ])
      .select(["o.profile_id", "o.use", "o.precision", "o.cell", "o.pending_cell", "o.key", "o.session"])
      .select(["o.ts_published", "o.ts_effective_until", "h.email", "h.lattice_seed", "h.lattices", "m.sealed"])
      .select(STAY_COLUMNS)
      .whereRef("p.id", "=", "s.account_id")
      .where("s.token_hash", "=", tokenHash)
      .executeTakeFirst()
  );
}

/** Converts the joined columns to a position; null for a member who never reported one. */
function toPosition(row: Nullable<PositionRow>): PositionRow | null {
  const { profile_id, use, precision, cell, key, session, ts_published, ts_effective_until, pending_cell } = row;
  if (profile_id === null || use === null || precision === null || cell === null || key === null) return null;
  return {
    profile_id,
    use,
    precision,
    cell,
    pending_cell,
    key,
    session: session ?? 0,
    ts_published: ts_published ?? 0,
    ts_effective_until: ts_effective_until ?? 0,
  };
}

/** Extends a session and updates the last-seen time unless the member is hidden; runs at most once in 15 minutes. */
async function touchSession(db: Database, id: number, accountId: number, remember: boolean, now: number) {
  const ttl = remember ? SESSION_REMEMBERED_MS : SESSION_SHORT_MS;
  await db
    .updateTable("session")
    .set({ ts_last_used: now, ts_expires: now + ttl })
    .where("id", "=", id)
    .execute();
  const seen = now - (now % SEEN_ROUNDING_MS);
  await db
    .updateTable("profile")
    .set({ ts_seen: seen })
    .where("id", "=", accountId)
    .where("ts_seen", "<", seen)
    .where("hidden", "=", 0)
    .execute();
}
