import type { BrandId } from "@lambda/brands";
import { parseClientEvent, type ServerEvent, SOCKET_ENDED } from "@lambda/contract/events";
import { SOCKET_FRAMES_PER_MINUTE_MAX } from "@lambda/contract/limits";
import { RequestDatabase } from "../../platform/db/request-database.ts";
import { newest } from "../../platform/near/bookmarks.ts";
import { tellReader } from "../../platform/near/watermarks.ts";
import type { OpenSession } from "../../platform/objects.ts";
import { listOpenSessions } from "./audience.ts";
import { receiveClientEvent } from "./receive.ts";
import { SocketObject } from "./socket-object.ts";
import { closeSocket, ownerOf, sendFrame } from "./sockets.ts";

const MINUTE_MS = 60_000;

/**
 * One member's live connection, named by their profile id: holds their sockets while they hibernate, and keeps nothing else. Messages
 * are in D1 before this object hears of them, so losing it loses nothing.
 */
export class MemberObject extends SocketObject {
  /**
   * Frames of all the member's sockets. Each costs a query, and typing one more at the other end; beyond the limit they are ignored until the
   * minute is over. Lost with hibernation, which a socket that sends does not let come.
   */
  #frames = { count: 0, ends: 0 };

  /**
   * Sends events to each device whose session still stands and, when they are about another member, that may see them on
   * its brand: asked of the database at each delivery, so that hiding, blocking and logging out hold at once. Answers
   * whether any device got them.
   *
   * @param asked what the database said in the transaction of the event; a socket of another session is asked about here
   * @param wrote the state of the database after that transaction
   */
  async deliver(
    events: readonly ServerEvent[],
    aboutId: number | null,
    asked: readonly OpenSession[] = [],
    wrote: string | null = null,
  ): Promise<boolean> {
    const frames = events.map((event) => JSON.stringify(event));
    const isNews = events.some(({ type }) => type !== "typing");
    const known = new Map(asked.map((session) => [session.id, session]));
    const sockets = this.ctx.getWebSockets();
    const isKnown = (socket: WebSocket) => known.has(ownerOf(socket).sessionId);
    const unknown = sockets.filter((socket) => !isKnown(socket));
    let reached = false;
    const send = (socket: WebSocket, session: OpenSession) => {
      if (session.maySee) for (const frame of frames) reached = sendFrame(socket, frame) || reached;
    };
    if (isNews) await this.#tellReaders(sockets.filter(isKnown), wrote);
    for (const socket of sockets) {
      const session = known.get(ownerOf(socket).sessionId);
      if (session) send(socket, session);
    }
    if (unknown.length === 0) return reached;
    const database = new RequestDatabase(this.env.DB, { at: "primary" });
    const sessions = await listOpenSessions(database.primary, unknown.map(ownerOf), aboutId, Date.now());
    if (isNews) await this.#tellReaders(unknown, newest(wrote, database.seen));
    for (const socket of unknown) {
      const session = sessions.get(ownerOf(socket).sessionId);
      if (session) send(socket, session);
      else closeSocket(socket, SOCKET_ENDED, "session ended");
    }
    return reached;
  }

  /** A device that hears of news reads it near by at once. */
  async #tellReaders(sockets: readonly WebSocket[], bookmark: string | null): Promise<void> {
    if (bookmark === null) return;
    const readers = new Map(sockets.map((socket) => [ownerOf(socket).reader?.key, ownerOf(socket).reader]));
    await Promise.all([...readers.values()].map((reader) => reader && tellReader(this.env, reader, bookmark)));
  }

  /** Whether a device with a valid session is connected on a brand, so that no push is needed there. */
  async connected(brand: BrandId): Promise<boolean> {
    const owners = this.ctx
      .getWebSockets()
      .map(ownerOf)
      .filter((owner) => owner.brand === brand);
    if (owners.length === 0) return false;
    return (await listOpenSessions(this.env.DB, owners, null, Date.now())).size > 0;
  }

  override async webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    if (!this.#heard()) return;
    const event = parseClientEvent(frame);
    if (!event) return;
    const owner = ownerOf(socket);
    const sessions = await listOpenSessions(this.env.DB, [owner], null, Date.now());
    if (sessions.has(owner.sessionId)) await receiveClientEvent(this.env, owner, event, Date.now());
    else closeSocket(socket, SOCKET_ENDED, "session ended");
  }

  #heard(): boolean {
    const now = Date.now();
    if (this.#frames.ends <= now) this.#frames = { count: 0, ends: now + MINUTE_MS };
    this.#frames.count += 1;
    return this.#frames.count <= SOCKET_FRAMES_PER_MINUTE_MAX;
  }
}
