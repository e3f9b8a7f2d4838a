import { BRANDS, type Brand } from "@lambda/brands";
import { type Database, openDatabase } from "./db/database.ts";
import { type MessageDatabases, openMessageDatabases } from "./db/message-databases.ts";
import { RequestDatabase } from "./db/request-database.ts";
import type { Env } from "./env.ts";
import type { AppError } from "./errors.ts";
import { unlockHashOf } from "./http/cookies.ts";
import { networkOf, siteOf } from "./http/network.ts";
import { logFault } from "./log.ts";
import { type DatabaseCost, meterDatabase } from "./metering/meter-database.ts";
import type { CachedPictureLookup } from "./picture-lookup.ts";
import type { SessionCache } from "./replication/session-cache.ts";
import { chooseReadSource, PRIMARY } from "./replication/watermarks.ts";
import type { Viewer } from "./viewer.ts";

export interface Context {
  readonly env: Env;
  /** Sends reads to a replica near the member, and everything else to the primary. */
  readonly database: RequestDatabase;
  /** What the request changes, counted by the called procedures. */
  readonly changes: Changes;
  /** The D1 database itself, for batch(). */
  readonly d1: D1Database;
  readonly db: Database;
  /** The databases of messages, opened like `d1` and `db`. */
  readonly messageDatabases: MessageDatabases;
  /** The same, whose reads go to the replica even in a request that also writes. */
  readonly nearbyMessageDatabases: MessageDatabases;
  readonly brand: Brand;
  /** The session's member, or null. */
  readonly viewer: Viewer | null;
  /** The member of a session whose device is locked; `viewer` is null then. */
  readonly lockedViewer: Viewer | null;
  /** Integer milliseconds; read once per request, so that all its rows agree. */
  readonly now: number;
  readonly request: Request;
  /** The client's network, for rate limits; never stored. */
  readonly ip: string;
  /** The IPv6 site (/48) of that network, for IPv6 clients; never stored. */
  readonly site: string | undefined;
  /** Headers that the response will carry: cookies, cursors. */
  readonly responseHeaders: Headers;
  /** For work after the response; errors are logged without values. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Random; links log lines to the response's x-request-id header and identifies nobody. */
  readonly requestId: string;
  readonly cost: DatabaseCost;
  /** False for seeds, tests and benchmarks in development builds, which do in a minute what members do in weeks. */
  readonly quotas: boolean;
  /** How to give back what the call has counted so far, if it is refused or fails. */
  readonly undo: (() => Promise<void>)[];
  /** The requested picture as the session's object cached it; if set, the database was not queried. */
  readonly pictureLookup?: CachedPictureLookup;
  /** The brand has not opened, and the viewer is not of its team. */
  readonly notOpen?: boolean;
  /** Set when the calls of this request must be refused. */
  readonly refusal?: CallRefusal | undefined;
}

export interface CallRefusal {
  readonly error: AppError;
  /** Calls that keep a member safe go through. */
  readonly sparesSafety?: boolean;
}

/** Counts of a request's calls, which decide to whom its changes are announced (platform/replication). */
export interface Changes {
  calls: number;
  /** Calls after which nobody sees less than before: only their author's region needs to know. */
  reachingLate: number;
  /** Those of them that leave their author's session as it was. */
  keepingSession: number;
  /** Other calls that may change what is visible about members besides their author. */
  aboutOthers: number;
  /** Members whom calls without a session turned out to concern. */
  readonly concerned: number[];
  /** Calls after which their author's brief may look different or disappear from the map. */
  briefs: number;
}

/** Verifies the session of a request, if it has one. */
export type FindViewer = (
  db: Database,
  request: Request,
  brand: Brand,
  now: number,
  waitUntil: Context["waitUntil"],
  session?: SessionCache,
) => Promise<Viewer | null>;

/**
 * Verifies the session, if any, with at most one round trip to the replica. A session that is unknown or locked there may have changed since:
 * then this and all later queries go to the primary.
 */
export async function createContext(
  request: Request,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
  brand: Brand,
  findViewer: FindViewer,
  {
    now = Date.now(),
    requestId = "",
    pictureLookup,
  }: { now?: number; requestId?: string; pictureLookup?: CachedPictureLookup | null } = {},
): Promise<Context> {
  const cost: DatabaseCost = pictureLookup ? { ...pictureLookup.cost } : { trips: 0, rowsRead: 0, rowsWritten: 0 };
  const source = pictureLookup ? PRIMARY : await chooseReadSource(env, request);
  const database = new RequestDatabase(env.DB, source);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const meter = (source: RequestDatabase, readsReplica: boolean) =>
    meterDatabase(readsReplica ? source.nearby : source.primary, cost, true);
  const replica = meter(database, true);
  const d1 = isRead ? replica : meter(database, false);
  const replicaDb = openDatabase(replica);
  const db = isRead ? replicaDb : openDatabase(d1);
  const address = request.headers.get("cf-connecting-ip") ?? "local";
  const waitUntil = (work: Promise<unknown>) =>
    execution.waitUntil(work.catch((error) => logFault({ id: requestId, event: "after-the-answer" }, error)));
  const find = (session?: SessionCache) =>
    pictureLookup?.viewer ?? findViewer(replicaDb, request, brand, now, waitUntil, session);
  const unlockHash = await unlockHashOf(request);
  const isLocked = (found: Viewer | null) => found !== null && found.lockHash !== null && found.lockHash !== unlockHash;
  let found = await find(source.at === "nearby" ? source.session : undefined);
  if ((!found || isLocked(found)) && database.readsReplica) {
    database.switchToPrimary();
    found = await find();
  }
  const locked = isLocked(found);
  return {
    env,
    database,
    changes: { calls: 0, reachingLate: 0, keepingSession: 0, aboutOthers: 0, concerned: [], briefs: 0 },
    d1,
    db,
    messageDatabases: openMessageDatabases(env, { d1, db }, (messages, number) =>
      meter(database.messageDatabase(number, messages), isRead),
    ),
    nearbyMessageDatabases: openMessageDatabases(env, { d1: replica, db: replicaDb }, (messages, number) =>
      meter(database.messageDatabase(number, messages), true),
    ),
    brand,
    now,
    viewer: locked ? null : found,
    lockedViewer: locked ? found : null,
    request,
    ip: networkOf(address),
    site: siteOf(address),
    responseHeaders: new Headers(),
    waitUntil,
    requestId,
    cost,
    ...(pictureLookup && !locked && { pictureLookup }),
    undo: [],
    quotas: !(__DEVELOPMENT__ && request.headers.get("x-development-quotas") === "off"),
  };
}

/** For what belongs to a brand, whichever the caller is on: its desk, and the devices that are told. Stays on the caller's if it was removed. */
export const onBrand = <Caller extends { readonly brand: Brand }>(caller: Caller, brand: string): Caller => ({
  ...caller,
  brand: BRANDS.find(({ id }) => id === brand) ?? caller.brand,
});
