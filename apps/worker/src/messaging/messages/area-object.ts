import { getBrand } from "@lambda/brands";
import { type ServerEvent, SOCKET_CLOSE_ENDED, SOCKET_CLOSE_MOVED } from "@lambda/contract/events";
import { sectorOfKey } from "../../places/areas/area.ts";
import { SocketObject } from "./socket-object.ts";
import { closeSocket, ownerOf, sendFrame, sessionOf, tagOf } from "./sockets.ts";
import { listOpenSessions } from "./statements.ts";

/**
 * The live connections of one map chat area, named `brand:sector`. It holds the hibernating sockets of the members who read that area,
 * and only sends.
 */
export class AreaObject extends SocketObject {
  /**
   * Sends an event about a member to each listener who may see that member now, and returns how many received it. Listeners whose
   * published position has left `sector` (this object's own) are disconnected and have to reconnect to their new area.
   */
  async deliver(event: ServerEvent, own: ServerEvent, aboutId: number, sector: number): Promise<number> {
    const listeners = this.ctx.getWebSockets().map((socket) => ({ socket, owner: ownerOf(socket) }));
    if (listeners.length === 0) return 0;
    const owners = listeners.map(({ owner }) => owner);
    const sessions = await listOpenSessions(this.env.DB, owners, aboutId, Date.now());
    const [frame, ownFrame] = [event, own].map((each) => JSON.stringify(each)) as [string, string];
    let sent = 0;
    for (const { socket, owner } of listeners) {
      const session = sessionOf(owner, sessions);
      if (!session) closeSocket(socket, SOCKET_CLOSE_ENDED, "session ended");
      else if (sectorOfKey(getBrand(owner.brand), session.key) !== sector)
        closeSocket(socket, SOCKET_CLOSE_MOVED, "moved");
      else if (session.maySee && sendFrame(socket, owner.profileId === aboutId ? ownFrame : frame)) sent += 1;
    }
    return sent;
  }

  /** Disconnects members whose published position is in another area now. */
  dismiss(profileIds: readonly number[]): void {
    for (const profileId of profileIds)
      for (const socket of this.ctx.getWebSockets(tagOf(profileId))) closeSocket(socket, SOCKET_CLOSE_MOVED, "moved");
  }
}
