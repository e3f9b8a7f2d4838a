import { getBrand } from "@lambda/brands";
import { type ServerEvent, SOCKET_ENDED } from "@lambda/contract/events";
import { SECTOR_REFETCH_MS, SQUARE_CHANGES_MAX } from "@lambda/contract/limits";
import { openDatabase } from "../../platform/db/database.ts";
import { RequestDatabase } from "../../platform/db/request-database.ts";
import { logFault } from "../../platform/log.ts";
import { tellReader } from "../../platform/near/watermarks.ts";
import type { SquareChange } from "../../platform/objects.ts";
import { listOpenSessions } from "../messages/audience.ts";
import { SocketObject } from "../messages/socket-object.ts";
import { closeSocket, ownerOf, sendFrame } from "../messages/sockets.ts";
import { listTold } from "./told.ts";

/** When changes are told: no more exactly than whoever asks at the interval would learn of them. */
const TICK_MS = __DEVELOPMENT__ ? 500 : SECTOR_REFETCH_MS;

/**
 * The live side of one square of the map on one brand, named `brand:square`: holds the sockets of those who watch it, while they
 * hibernate. Each tick it tells each of them who changed of whom they may see, or could a moment ago. It only speaks.
 */
export class SquareObject extends SocketObject {
  #changes = new Map<string, SquareChange>();
  #tick: ReturnType<typeof setTimeout> | undefined;

  change(changes: readonly SquareChange[]): void {
    if (this.ctx.getWebSockets().length === 0) return;
    for (const change of changes) this.#keep(change);
    this.#tick ??= setTimeout(() => void this.#tellAll(), TICK_MS - (Date.now() % TICK_MS));
  }

  /** Of several changes of a member the first says who could see them. */
  #keep(change: SquareChange): void {
    const name = `${change.id}:${change.only ?? ""}`;
    const { was, ts } = this.#changes.get(name) ?? change;
    this.#changes.set(name, { ...change, was: change.was | was, ts: Math.min(change.ts, ts) });
  }

  /** What could not be told is told at the next tick. */
  async #tellAll(): Promise<void> {
    this.#tick = undefined;
    const changes = [...this.#changes.values()];
    this.#changes = new Map();
    try {
      await this.#tell(changes);
    } catch (error) {
      logFault({ event: "square" }, error);
      this.change(changes);
    }
  }

  async #tell(changes: readonly SquareChange[]): Promise<void> {
    const sockets = this.ctx.getWebSockets();
    const owners = sockets.map(ownerOf);
    const [first] = owners;
    if (!first) return;
    const database = new RequestDatabase(this.env.DB, { at: "primary" });
    const now = Date.now();
    const tooMany = changes.length > SQUARE_CHANGES_MAX;
    const [open, told] = await Promise.all([
      listOpenSessions(database.primary, owners, null, now),
      tooMany
        ? new Map<number, number[]>()
        : listTold(openDatabase(database.primary), getBrand(first.brand), { owners, changes, now }),
    ]);
    const readers = new Map<string, () => Promise<void>>();
    const sending: (() => void)[] = [];
    for (const socket of sockets) {
      const { sessionId, reader } = ownerOf(socket);
      if (!open.has(sessionId)) {
        closeSocket(socket, SOCKET_ENDED, "session ended");
        continue;
      }
      const profileIds = told.get(sessionId) ?? [];
      if (profileIds.length === 0 && !tooMany) continue;
      if (reader && database.seen !== null) {
        const { seen } = database;
        readers.set(reader.key, () => tellReader(this.env, reader, seen));
      }
      const event: ServerEvent = { type: "around", profileIds };
      sending.push(() => void sendFrame(socket, JSON.stringify(event)));
    }
    // Who hears of it asks near by at once.
    await Promise.all([...readers.values()].map((tell) => tell()));
    for (const send of sending) send();
  }
}
