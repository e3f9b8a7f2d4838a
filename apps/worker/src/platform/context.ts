import type { Brand } from "@lambda/brands";
import { type Database, openDatabase } from "./db/database.ts";
import { type DatabaseCost, meterDatabase } from "./db/meter.ts";
import { RequestDatabase } from "./db/request-database.ts";
import { openShards, type Shards } from "./db/shards.ts";
import type { Env } from "./env.ts";
import type { AppError } from "./errors.ts";
import { networkOf, siteOf } from "./http/network.ts";
import type { KnownPicture } from "./known-picture.ts";
import { logFault } from "./log.ts";
import { AT_THE_PRIMARY, findStart } from "./near/watermarks.ts";
import type { Viewer } from "./viewer.ts";

/** What every procedure gets: who asks, on which brand, when, and where data is. */
export interface Context {
  readonly env: Env;
  /** Near the member for what only reads, at the primary for the rest. */
  readonly database: RequestDatabase;
  /** What the request changes, counted by the procedures that are called. */
  readonly changes: Changes;
  /** Of that database what reads near the member, also in a request that changes something. */
  readonly near: D1Database;
  /** The raw database, for batch(). */
  readonly d1: D1Database;
  readonly db: Database;
  /** Where messages are: as `d1` and `db`. */
  readonly shards: Shards;
  /** The same as `near`. */
  readonly nearShards: Shards;
  readonly brand: Brand;
  /** The session's member, or null. */
  readonly viewer: Viewer | null;
  /** Integer milliseconds; read once a request, so that all its rows agree. */
  readonly now: number;
  readonly request: Request;
  /** The network that asks, for caps; never stored. */
  readonly ip: string;
  /** The IPv6 site (/48) of that network, if it is one; never stored. */
  readonly site: string | undefined;
  /** Headers that the answer will carry: cookies, cursors. */
  readonly responseHeaders: Headers;
  /** For work after the answer; what fails there is logged by its kind, without values. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Ties the lines of the log to an answer, whose header x-request-id it is. It is random and stands for nobody. */
  readonly requestId: string;
  readonly cost: DatabaseCost;
  /** False for seeds, tests and benches of a development build, which do in a minute what members do in weeks. */
  readonly quotas: boolean;
  /** What the session's object said of the picture that is asked for; then the database was not asked. */
  readonly known?: KnownPicture;
  /** Why every call of this request is refused. */
  readonly refusal?: AppError;
}

/** A request that calls nothing but what hides nothing from anybody need not be told to all regions. */
export interface Changes {
  calls: number;
  hidingNothing: number;
  /** Of the others, those after which anybody might be seen otherwise, and not their author alone. */
  aboutOthers: number;
  /** After which their author's brief may look different, or be gone from the map. */
  briefs: number;
}

/** Proves the session of a request, if it has one. */
export type FindViewer = (
  db: Database,
  request: Request,
  brand: Brand,
  now: number,
  waitUntil: Context["waitUntil"],
) => Promise<Viewer | null>;

/**
 * Proves the session, if any, by one round trip near the member, and gathers the rest. A session that is not known there may be newer
 * than the copy: then the primary is asked, for this and all that follows.
 */
export async function createContext(
  request: Request,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
  brand: Brand,
  findViewer: FindViewer,
  { now = Date.now(), requestId = "", known }: { now?: number; requestId?: string; known?: KnownPicture | null } = {},
): Promise<Context> {
  const cost: DatabaseCost = known ? { ...known.cost } : { trips: 0, rowsRead: 0, rowsWritten: 0 };
  const database = new RequestDatabase(env.DB, known ? AT_THE_PRIMARY : await findStart(env, request));
  const isRead = request.method === "GET" || request.method === "HEAD";
  const view = (asked: RequestDatabase, isNear: boolean) => meterDatabase(isNear ? asked.near : asked.primary, cost);
  const near = view(database, true);
  const d1 = isRead ? near : view(database, false);
  const address = request.headers.get("cf-connecting-ip") ?? "local";
  const waitUntil = (work: Promise<unknown>) =>
    execution.waitUntil(work.catch((error) => logFault({ id: requestId, event: "after-the-answer" }, error)));
  const find = () => known?.viewer ?? findViewer(openDatabase(near), request, brand, now, waitUntil);
  let viewer = await find();
  if (!viewer && database.readsReplica) {
    database.leaveReplica();
    viewer = await find();
  }
  const db = openDatabase(d1);
  return {
    env,
    database,
    changes: { calls: 0, hidingNothing: 0, aboutOthers: 0, briefs: 0 },
    near,
    d1,
    db,
    shards: openShards(env, { d1, db }, (messages, number) => view(database.beside(number, messages), isRead)),
    nearShards: openShards(env, { d1: near, db: openDatabase(near) }, (messages, number) =>
      view(database.beside(number, messages), true),
    ),
    brand,
    now,
    viewer,
    request,
    ip: networkOf(address),
    site: siteOf(address),
    responseHeaders: new Headers(),
    waitUntil,
    requestId,
    cost,
    ...(known && { known }),
    quotas: !(__DEVELOPMENT__ && request.headers.get("x-development-quotas") === "off"),
  };
}
