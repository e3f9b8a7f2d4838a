import { getBrand } from "@lambda/brands";
import { type ServerEvent, SOCKET_CLOSE_ENDED } from "@lambda/contract/events";
import { SECTOR_REFETCH_MS, SQUARE_CHANGES_MAX } from "@lambda/contract/limits";
import { openDatabase } from "../../platform/db/database.ts";
import { RequestDatabase } from "../../platform/db/request-database.ts";
import { logFault } from "../../platform/log.ts";
import type { SquareChange } from "../../platform/objects.ts";
import { announceWriteToReader } from "../../platform/replication/watermarks.ts";
import { listOpenSessions } from "../messages/audience.ts";
import { SocketObject } from "../messages/socket-object.ts";
import { closeSocket, ownerOf, sendFrame, sessionOf } from "../messages/sockets.ts";
import { listChangesBySession } from "./changes-by-session.ts";

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
