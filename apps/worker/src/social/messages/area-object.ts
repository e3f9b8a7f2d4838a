import { getBrand } from "@lambda/brands";
import { type ServerEvent, SOCKET_ENDED, SOCKET_MOVED } from "@lambda/contract/events";
import { sectorOfKey } from "../../places/areas/area.ts";
import { listOpenSessions } from "./audience.ts";
import { SocketObject } from "./socket-object.ts";
import { closeSocket, ownerOf, sendFrame, tagOf } from "./sockets.ts";

/**
 * The live side of one broadcast area, named `brand:sector`: holds the sockets of those who listen there, while they hibernate. It
 * only speaks; what a device says here is ignored.
 */
export class AreaObject extends SocketObject {
  /**
   * Sends an event about a member to each listener who may see them now. Who is published elsewhere meanwhile hears nothing of
   * `sector`, which is this one, and has to come again. Answers how many got it.
   */
  async deliver(event: ServerEvent, aboutId: number, sector: number): Promise<number> {
    const listeners = this.ctx.getWebSockets().map((socket) => ({ socket, owner: ownerOf(socket) }));
    if (listeners.length === 0) return 0;
    const owners = listeners.map(({ owner }) => owner);
    const sessions = await listOpenSessions(this.env.DB, owners, aboutId, Date.now());
    const frame = JSON.stringify(event);
    let sent = 0;
    for (const { socket, owner } of listeners) {
      const session = sessions.get(owner.sessionId);
      if (!session) closeSocket(socket, SOCKET_ENDED, "session ended");
      else if (sectorOfKey(getBrand(owner.brand), session.key) !== sector) closeSocket(socket, SOCKET_MOVED, "moved");
      else if (session.maySee && sendFrame(socket, frame)) sent += 1;
    }
    return sent;
  }

  /** The member is published elsewhere now. */
  dismiss(profileId: number): void {
    for (const socket of this.ctx.getWebSockets(tagOf(profileId))) closeSocket(socket, SOCKET_MOVED, "moved");
  }
}
