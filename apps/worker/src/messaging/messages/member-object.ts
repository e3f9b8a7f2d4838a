import { BRANDS, type BrandId } from "@lambda/brands";
import { WORK_PRICES } from "@lambda/contract/cost";
import { type ClientEvent, parseClientEvent, type ServerEvent, SOCKET_CLOSE_ENDED } from "@lambda/contract/events";
import {
  DAY_MS,
  MINUTE_MS,
  SOCKET_FRAMES_PER_MINUTE_MAX,
  SOCKET_SILENCE_MAX_MS,
  SOCKETS_PER_MEMBER_MAX,
} from "@lambda/contract/limits";
import { openMessageDatabases } from "../../platform/db/message-databases.ts";
import { RequestDatabase } from "../../platform/db/request-database.ts";
import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { readMaintenance } from "../../platform/maintenance.ts";
import type { RecipientSession, SocketElsewhere } from "../../platform/objects.ts";
import { chargeMember } from "../../platform/rate-limits/usage.ts";
import { newest } from "../../platform/replication/bookmarks.ts";
import { announceWriteToReader } from "../../platform/replication/watermarks.ts";
import { sendToMember } from "./deliver.ts";
import { canWriteTo } from "./first-contact.ts";
import { markDelivered } from "./receipts.ts";
import { SocketObject } from "./socket-object.ts";
import {
  closeSocket,
  ownerOf,
  SOCKET_CLOSE_REFUSED,
  SOCKET_CLOSE_RESTART,
  type SocketOwner,
  sendFrame,
  sessionOf,
  setVisible,
} from "./sockets.ts";
import { listOpenSessions } from "./statements.ts";

const FRAMES_CHARGED = 10;

/**
 * One member's live connections, named by profile id. It holds only their hibernating sockets: messages are in D1 before they reach this
 * object, so nothing is lost with it.
 */
export class MemberObject extends SocketObject {
  /**
   * Counts the frames from all of the member's sockets, as each costs at least one query. A frame over the limit closes its socket;
   * hibernation resets the counter, but an object that receives frames does not hibernate.
   */
  #frames = { count: 0, ends: 0 };
  /** Frames that the member's day was already charged for. */
  #paid = 0;

  /**
   * Sends events to each device whose session is open and, for events about another member, which may see that member on its brand;
   * returns whether a visible page received them. Checked in the database at each delivery, so that hiding, blocking and logging out take effect
   * at once.
   *
   * @param sessions as of the transaction that caused the event; sessions of other sockets are queried here
   * @param wrote bookmark of that transaction
   * @param brand of the only devices that show it; by default all
   */
  async deliver(
    events: readonly ServerEvent[],
    aboutId: number | null,
    sessions: readonly RecipientSession[] = [],
    wrote: string | null = null,
    brand?: BrandId,
  ): Promise<boolean> {
    const frames = events.map((event) => JSON.stringify(event));
    const hasStoredEvents = events.some(({ type }) => type !== "typing");
    const known = new Map(sessions.map((session) => [session.id, session]));
    const sockets = this.ctx.getWebSockets().filter((socket) => !brand || ownerOf(socket).brand === brand);
    const isKnown = (socket: WebSocket) => known.has(ownerOf(socket).sessionId);
    const unknown = sockets.filter((socket) => !isKnown(socket));
    let seen = false;
    const sendOrClose = (socket: WebSocket, open: ReadonlyMap<number, RecipientSession>) => {
      const session = sessionOf(ownerOf(socket), open);
      if (!session) closeSocket(socket, SOCKET_CLOSE_ENDED, "session ended");
      else if (session.maySee)
        for (const frame of frames) seen = (sendFrame(socket, frame) && this.#isVisible(socket)) || seen;
    };
    if (hasStoredEvents) await this.#advanceReaders(sockets.filter(isKnown), wrote);
    for (const socket of sockets.filter(isKnown)) sendOrClose(socket, known);
    if (unknown.length === 0) return seen;
    const database = new RequestDatabase(this.env.DB, { at: "primary" });
    const queried = await listOpenSessions(database.primary, unknown.map(ownerOf), aboutId, Date.now());
    if (hasStoredEvents) await this.#advanceReaders(unknown, newest(wrote, database.seenBookmark));
    for (const socket of unknown) sendOrClose(socket, queried);
    return seen;
  }

  /** Makes sure that a device which is told of a change also finds it in its nearby copy. */
  async #advanceReaders(sockets: readonly WebSocket[], bookmark: string | null): Promise<void> {
    if (bookmark === null) return;
    const readers = new Map(sockets.map((socket) => [ownerOf(socket).reader?.key, ownerOf(socket).reader]));
    await Promise.all(
      [...readers.values()].map((reader) => reader && announceWriteToReader(this.env, reader, bookmark)),
    );
  }

  /** Whether a visible page with an open session is connected on a brand, so that no push of news is needed there. */
  async isSeen(brand: BrandId): Promise<boolean> {
    const owners = this.ctx
      .getWebSockets()
      .filter((socket) => this.#isVisible(socket))
      .map(ownerOf)
      .filter((owner) => owner.brand === brand);
    if (owners.length === 0) return false;
    const sessions = await listOpenSessions(this.env.DB, owners, null, Date.now());
    return owners.some((owner) => sessionOf(owner, sessions));
  }

  /** A forgotten tab, and one whose device fell asleep before it could say so, count as not seen. */
  #isVisible(socket: WebSocket): boolean {
    const { visibleAt } = ownerOf(socket);
    if (visibleAt === undefined) return false;
    const pingedAt = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    return Date.now() - Math.max(visibleAt, pingedAt) < SOCKET_SILENCE_MAX_MS;
  }

  override fetch(request: Request): Response {
    const response = super.fetch(request);
    this.ctx.waitUntil(this.#closeOldest());
    return response;
  }

  /** Counts a socket that another object is about to open. Called over RPC. */
  async addSocket(socket: SocketElsewhere): Promise<void> {
    const { storage } = this.ctx;
    storage.kv.put("elsewhere", [...this.#elsewhere(), socket]);
    if ((await storage.getAlarm()) === null) await storage.setAlarm(socket.ts + DAY_MS);
    await this.#closeOldest();
  }

  /** Called over RPC once it has closed. Returns how many are left. */
  removeSocket(id: string): number {
    const kept = this.#elsewhere().filter((socket) => socket.id !== id);
    if (kept.length > 0) this.ctx.storage.kv.put("elsewhere", kept);
    else this.ctx.storage.kv.delete("elsewhere");
    return kept.length;
  }

  /** Closes what has been open for a day, so that nothing is kept of sockets whose object never said that they closed. */
  override async alarm(): Promise<void> {
    const [first, ...others] = this.#elsewhere();
    if (!first) return;
    if (first.ts > Date.now() - DAY_MS) return this.ctx.storage.setAlarm(first.ts + DAY_MS);
    await this.#dropElsewhere(first);
    if (others[0]) await this.ctx.storage.setAlarm(Math.max(Date.now(), others[0].ts + DAY_MS));
  }

  #elsewhere(): readonly SocketElsewhere[] {
    return this.ctx.storage.kv.get<SocketElsewhere[]>("elsewhere") ?? [];
  }

  async #dropElsewhere({ id, binding, object }: SocketElsewhere): Promise<void> {
    this.removeSocket(id);
    const objects = this.env[binding];
    await objects.get(objects.idFromString(object)).drop(id);
  }

  /** Over all objects: the oldest of map and area first, so that nobody who watches maps loses the messages of another device. */
  async #closeOldest(): Promise<void> {
    const openedAt = (socket: WebSocket) => ownerOf(socket).openedAt ?? 0;
    const own = this.ctx
      .getWebSockets()
      .filter((socket) => socket.readyState === WebSocket.OPEN)
      .sort((one, other) => openedAt(one) - openedAt(other));
    const elsewhere = this.#elsewhere();
    const excess = own.length + elsewhere.length - SOCKETS_PER_MEMBER_MAX;
    if (excess <= 0) return;
    for (const socket of own.slice(0, Math.max(0, excess - elsewhere.length)))
      closeSocket(socket, SOCKET_CLOSE_REFUSED, "too many connections");
    const dropped = elsewhere.slice(0, excess).map((socket) => this.#dropElsewhere(socket));
    for (const result of await Promise.allSettled(dropped))
      if (result.status === "rejected") logFault({ event: "socket" }, result.reason);
  }

  override async webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    if ((await readMaintenance(this.env)).on) return closeSocket(socket, SOCKET_CLOSE_RESTART, "maintenance");
    const isWithinMinute = this.#isWithinFrameLimit();
    const owner = ownerOf(socket);
    const event = isWithinMinute ? parseClientEvent(frame) : undefined;
    // Needs no session, as it decides only whether the member gets pushes. The next frame must not overtake it while the day is asked.
    if (event?.type === "visible") setVisible(socket, event.visible);
    const isWithinDay = await this.#isWithinDay(owner.profileId);
    if (!isWithinMinute) return closeSocket(socket, SOCKET_CLOSE_REFUSED, "too many frames");
    if (!event || event.type === "visible" || !isWithinDay) return;
    const sessions = await listOpenSessions(this.env.DB, [owner], null, Date.now());
    if (sessionOf(owner, sessions)) await receiveClientEvent(this.env, owner, event, Date.now());
    else closeSocket(socket, SOCKET_CLOSE_ENDED, "session ended");
  }

  /** Charges for several frames at once, the first after each waking in advance, so that hibernating saves nobody anything. */
  async #isWithinDay(profileId: number): Promise<boolean> {
    this.#paid -= 1;
    if (this.#paid >= 0) return true;
    this.#paid = FRAMES_CHARGED - 1;
    return chargeMember(this.env, profileId, FRAMES_CHARGED * WORK_PRICES.frame).catch(() => true);
  }

  #isWithinFrameLimit(): boolean {
    const now = Date.now();
    if (this.#frames.ends <= now) this.#frames = { count: 0, ends: now + MINUTE_MS };
    this.#frames.count += 1;
    return this.#frames.count <= SOCKET_FRAMES_PER_MINUTE_MAX;
  }
}

type MessageEvent = Exclude<ClientEvent, { type: "visible" }>;

/** Handles an event that a device sent over its socket, whose session the socket's object has checked. */
async function receiveClientEvent(env: Env, owner: SocketOwner, event: MessageEvent, now: number): Promise<void> {
  const brand = BRANDS.find((candidate) => candidate.id === owner.brand);
  if (!brand) return;
  const work: Promise<unknown>[] = [];
  const messageDatabases = openMessageDatabases(env);
  const main = messageDatabases.open(0);
  if (event.type === "typing") {
    const { profileId } = owner;
    const mayWrite = await canWriteTo(messageDatabases, { brand, viewer: { profileId } }, event.toProfileId, now);
    if (mayWrite) work.push(sendToMember(env, event.toProfileId, { type: "typing", profileId }, profileId));
  } else {
    const viewer = { profileId: owner.profileId };
    const waitUntil = (promise: Promise<unknown>) => void work.push(promise);
    work.push(markDelivered({ env, ...main, messageDatabases, brand, viewer, now, waitUntil }, event));
    await work[0]; // Adds the notifications of the senders to `work`.
  }
  await Promise.all(work);
}
