import { type Brand, getBrand } from "@lambda/brands";
import { type ServerEvent, SOCKET_CLOSE_ENDED } from "@lambda/contract/events";
import { SECTOR_REFETCH_MS, SQUARE_CHANGES_MAX } from "@lambda/contract/limits";
import { sql } from "kysely";
import { SocketObject } from "../../messaging/messages/socket-object.ts";
import { closeSocket, ownerOf, type SocketOwner, sendFrame, sessionOf } from "../../messaging/messages/sockets.ts";
import { listOpenSessions } from "../../messaging/messages/statements.ts";
import { type Database, openDatabase, rowsOf } from "../../platform/db/database.ts";
import { RequestDatabase } from "../../platform/db/request-database.ts";
import { logFault } from "../../platform/log.ts";
import type { SquareChange } from "../../platform/objects.ts";
import { announceWriteToReader } from "../../platform/replication/watermarks.ts";
import { notBlockedAt, seenBy, showsThemselves } from "../../visibility/visibility.ts";

/** Changes are sent at this interval, so that a socket reveals no more exact times than polling would. */
const TICK_MS = __DEVELOPMENT__ ? 500 : SECTOR_REFETCH_MS;

/**
 * The live connections of one square of the map on one brand, named `brand:square`. At each tick it sends each watching member the
 * changed members whom they may see or just could; frames from devices are ignored.
 */
export class SquareObject extends SocketObject {
  #changes = new Map<string, SquareChange>();
  #tick: ReturnType<typeof setTimeout> | undefined;

  change(changes: readonly SquareChange[]): void {
    if (this.ctx.getWebSockets().length === 0) return;
    for (const change of changes) this.#addChange(change);
    this.#tick ??= setTimeout(() => void this.#flush(), TICK_MS - (Date.now() % TICK_MS));
  }

  /** Merges changes of the same member. The first one tells who could see the member before. */
  #addChange(change: SquareChange): void {
    const name = `${change.id}:${change.only ?? ""}`;
    const { was, few = 0, ts } = this.#changes.get(name) ?? change;
    const first = { was: change.was | was, few: (change.few ?? 0) | few, ts: Math.min(change.ts, ts) };
    this.#changes.set(name, { ...change, ...first });
  }

  /** Sends the collected changes, or keeps them for the next tick if that fails. */
  async #flush(): Promise<void> {
    this.#tick = undefined;
    const changes = [...this.#changes.values()];
    this.#changes = new Map();
    try {
      await this.#sendChanges(changes);
    } catch (error) {
      logFault({ event: "square" }, error);
      this.change(changes);
    }
  }

  async #sendChanges(changes: readonly SquareChange[]): Promise<void> {
    const sockets = this.ctx.getWebSockets();
    const owners = sockets.map(ownerOf);
    const [first] = owners;
    if (!first) return;
    const database = new RequestDatabase(this.env.DB, { at: "primary" });
    const now = Date.now();
    const tooMany = changes.length > SQUARE_CHANGES_MAX;
    const [open, changesBySession] = await Promise.all([
      listOpenSessions(database.primary, owners, null, now),
      tooMany
        ? new Map<number, number[]>()
        : listChangesBySession(openDatabase(database.primary), getBrand(first.brand), { owners, changes, now }),
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
      const event: ServerEvent = { type: "around", profileIds };
      sending.push(() => void sendFrame(socket, JSON.stringify(event)));
    }
    // Devices that get the event read their nearby replica at once, so it must be up to date first.
    await Promise.all([...readers.values()].map((advance) => advance()));
    for (const send of sending) send();
  }
}

/** Which open sessions may learn that a member changed on the map: those that may see the member now, or could before the change. */

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
