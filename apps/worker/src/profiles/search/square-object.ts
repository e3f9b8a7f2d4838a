import { type Brand, getBrand } from "@lambda/brands";
import { type ServerEvent, SOCKET_CLOSE_ENDED } from "@lambda/contract/events";
import { SECTOR_REFETCH_MS, SQUARE_CHANGES_MAX, SQUARE_LISTENERS_MAX } from "@lambda/contract/limits";
import { sql } from "kysely";
import { SocketObject } from "../../messaging/messages/socket-object.ts";
import { closeSocket, ownerOf, type SocketOwner, sendFrame, sessionOf } from "../../messaging/messages/sockets.ts";
import { listOpenSessions } from "../../messaging/messages/statements.ts";
import { type Database, openDatabase, rowsOf } from "../../platform/db/database.ts";
import { RequestDatabase } from "../../platform/db/request-database.ts";
import { logFault } from "../../platform/log.ts";
import type { SquareChange } from "../../platform/objects.ts";
import { announceWriteToReader } from "../../platform/replication/watermarks.ts";
import { listedOn, notBlockedAt, seenBy, showsThemselves } from "../../visibility/visibility.ts";

/** Changes are sent at this interval, so that a socket reveals no more exact times than polling would. */
const TICK_MS = __DEVELOPMENT__ ? 500 : SECTOR_REFETCH_MS;

/** As many changes are kept until the tick: those of members out of sight must not decide what the others are sent. */
const CHANGES_KEPT_MAX = 10 * SQUARE_CHANGES_MAX;

/** What the next tick sends: the changes, or that clients reload the square. */
type Pending = readonly SquareChange[] | "reload";

const RELOAD = JSON.stringify({ type: "around", profileIds: [] } satisfies ServerEvent);

/**
 * The live connections of one square of the map on one brand, named `brand:square`. At each tick it sends each watching member the
 * changed members whom they may see or just could. Between ticks it may hibernate: what it waits for is an alarm.
 */
export class SquareObject extends SocketObject {
  override fetch(request: Request): Response {
    const response = super.fetch(request);
    if (this.#isCrowded()) this.ctx.waitUntil(this.#wakeAtTick());
    return response;
  }

  async change(changes: readonly SquareChange[]): Promise<number> {
    const listeners = this.ctx.getWebSockets().length;
    if (listeners > 0) await this.#keep(changes);
    return listeners;
  }

  async #keep(changes: Pending): Promise<void> {
    const { storage } = this.ctx;
    const before = storage.kv.get<Pending>("pending") ?? [];
    if (before !== "reload") storage.kv.put("pending", merge(before, changes));
    await this.#wakeAtTick();
  }

  async #wakeAtTick(): Promise<void> {
    const { storage } = this.ctx;
    if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now() + TICK_MS - (Date.now() % TICK_MS));
  }

  /** Crossing so many sessions with the changes would cost more than their reloads, which each pays for. */
  readonly #isCrowded = () => this.ctx.getWebSockets().length > SQUARE_LISTENERS_MAX;

  /** Sends the collected changes, or keeps them for the next tick if that fails. */
  override async alarm(): Promise<void> {
    const { kv } = this.ctx.storage;
    const pending = kv.get<Pending>("pending");
    kv.delete("pending");
    // All reload at every tick, as one that only a change causes would tell of members out of sight.
    if (this.#isCrowded()) {
      for (const socket of this.ctx.getWebSockets()) sendFrame(socket, RELOAD);
      return this.#wakeAtTick();
    }
    if (!pending) return;
    try {
      await this.#sendChanges(pending);
    } catch (error) {
      logFault({ event: "square" }, error);
      await this.#keep(pending);
    }
  }

  async #sendChanges(pending: Pending): Promise<void> {
    const sockets = this.ctx.getWebSockets();
    const owners = sockets.map(ownerOf);
    const [first] = owners;
    if (!first) return;
    const database = new RequestDatabase(this.env.DB, { at: "primary" });
    const brand = getBrand(first.brand);
    const tooMany =
      pending === "reload" ||
      (pending.length > SQUARE_CHANGES_MAX &&
        (await countSeenByAll(openDatabase(database.primary), brand, pending)) > SQUARE_CHANGES_MAX);
    const changes = tooMany ? [] : pending;
    const now = Date.now();
    const [open, changesBySession] = await Promise.all([
      listOpenSessions(database.primary, owners, null, now),
      tooMany
        ? new Map<number, number[]>()
        : listChangesBySession(openDatabase(database.primary), brand, { owners, changes, now }),
    ]);
    const readers = new Map<string, () => Promise<void>>();
    const sending: (() => void)[] = [];
    for (const socket of sockets) {
      const owner = ownerOf(socket);
      const { sessionId, reader } = owner;
      if (!sessionOf(owner, open)) {
        closeSocket(socket, SOCKET_CLOSE_ENDED, "session ended");
        continue;
      }
      const profileIds = changesBySession.get(sessionId) ?? [];
      if (profileIds.length === 0 && !tooMany) continue;
      if (reader && database.seenBookmark !== null) {
        const { seenBookmark: seen } = database;
        readers.set(reader.key, () => announceWriteToReader(this.env, reader, seen));
      }
      const event: ServerEvent = {
        type: "around",
        profileIds: profileIds.length > SQUARE_CHANGES_MAX ? [] : profileIds,
      };
      sending.push(() => void sendFrame(socket, JSON.stringify(event)));
    }
    // Devices that get the event read nearby at once, so it must be up to date first.
    await Promise.all([...readers.values()].map((advance) => advance()));
    for (const send of sending) send();
  }
}

/** Merges changes of the same member. The first one tells who could see the member before. */
function merge(before: readonly SquareChange[], changes: Pending): Pending {
  if (changes === "reload") return changes;
  const merged = new Map(before.map((change) => [nameOf(change), change]));
  for (const change of changes) {
    const { was, few = 0, ts } = merged.get(nameOf(change)) ?? change;
    const first = { was: change.was | was, few: (change.few ?? 0) | few, ts: Math.min(change.ts, ts) };
    merged.set(nameOf(change), { ...change, ...first });
  }
  return merged.size > CHANGES_KEPT_MAX ? "reload" : [...merged.values()];
}

const nameOf = ({ id, only }: SquareChange) => `${id}:${only ?? ""}`;

/** How many of the changed members everybody on the brand sees, or did before the change. */
async function countSeenByAll(db: Database, brand: Brand, changes: readonly SquareChange[]): Promise<number> {
  const changed = changes.map(({ id, was }) => ({ id, was: was & brand.bit }));
  const { members } = await db
    .selectFrom(rowsOf(changed, ["id", "was"], "c"))
    .innerJoin("profile as p", "p.id", "c.id")
    .select(sql<number>`count(distinct p.id)`.as("members"))
    .where(sql<boolean>`(c.was <> 0 or ${listedOn(brand)})`)
    .executeTakeFirstOrThrow();
  return members;
}

/**
 * The members to report as changed, for each session. A blocked viewer learns of the change only if the block is that change (`only`) or
 * came after it: otherwise somebody who hides and then blocks would stay on the other's map.
 */
async function listChangesBySession(
  db: Database,
  brand: Brand,
  {
    owners,
    changes,
    now,
  }: { readonly owners: readonly SocketOwner[]; readonly changes: readonly SquareChange[]; readonly now: number },
): Promise<Map<number, number[]>> {
  const sessions = [...new Set(owners.map(({ sessionId }) => sessionId))].map((id) => ({ id }));
  const changed = changes.map(({ id, was, few = 0, only = 0, ts }) => {
    return { id, was: was & brand.bit, few: few & brand.bit, only, ts };
  });
  const [subject, watcher] = [sql.ref("p.id"), sql.ref("me.id")];
  const rows = await db
    .selectFrom(rowsOf(sessions, ["id"], "open"))
    .crossJoin("session as s")
    .crossJoin("profile as me")
    .crossJoin(rowsOf(changed, ["id", "was", "few", "only", "ts"], "c"))
    .crossJoin("profile as p")
    .select(["s.id", "c.id as about"])
    .distinct()
    .whereRef("s.id", "=", "open.id")
    .whereRef("me.id", "=", "s.account_id")
    .whereRef("p.id", "=", "c.id")
    .whereRef("p.id", "<>", "me.id")
    .where("s.ts_expires", ">", now)
    .where(sql<boolean>`(c.only in (0, me.id))`)
    .where(
      sql<boolean>`(c.was <> 0 and c.only = me.id
        or (c.was <> 0 or c.few <> 0 and ${showsThemselves(subject, watcher, now)} or ${seenBy(brand, watcher, "p", now)})
          and ${notBlockedAt(watcher, subject, sql.ref("c.ts"))})`,
    )
    .orderBy("c.id")
    .execute();
  const changesBySession = new Map<number, number[]>();
  for (const { id, about } of rows) changesBySession.set(id, [...(changesBySession.get(id) ?? []), about]);
  return changesBySession;
}
