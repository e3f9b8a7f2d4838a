import { AlbumGrant, AlbumGrantUpdate, AlbumRequest, AlbumStatus } from "@lambda/contract/albums";
import { ALBUM_REQUESTS_PER_DAY_MAX, DAY_MS, LIST_PAGE_SIZE } from "@lambda/contract/limits";
import { Id } from "@lambda/contract/primitives";
import { sql } from "kysely";
import { z } from "zod";
import { announce, insertNotificationQuery } from "../../notifications/notify.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch } from "../../platform/db/database.ts";
import { pageOf } from "../../platform/db/page.ts";
import { AppError, inputProblem } from "../../platform/errors.ts";
import { toIsoOrNull } from "../../platform/iso-time.ts";
import { isWithinLimit, spendLimit, spendQuota } from "../../platform/rate-limits/limit.ts";
import { countOpened } from "../../platform/rate-limits/usage.ts";
import { type MemberContext, memberCommand, memberProcedure, router } from "../../platform/trpc.ts";
import { discloseAlbumQuery } from "../../visibility/statements/disclosures.ts";
import { requireSeenBy, updateShownTo } from "../../visibility/statements/discreet.ts";
import { albumsCopy } from "./copy.ts";
import {
  deleteAlbumGrant,
  getAlbumStatus,
  insertAlbumRequestQuery,
  leaveAlbum,
  listAlbumGrants,
  toAlbumGrant,
  toAlbumStatus,
  upsertAlbumGrantQuery,
} from "./queries.ts";

/** Throws NOT_FOUND for the viewer and for members whom the viewer cannot see. */
async function getStatus(ctx: MemberContext, profileId: number): Promise<AlbumStatus> {
  return toAlbumStatus(profileId, await getAlbumStatus(ctx, profileId));
}

async function listGrants(ctx: MemberContext, direction: "given" | "received", cursor: number | undefined) {
  const rows = await listAlbumGrants(ctx, direction, cursor ?? 0, LIST_PAGE_SIZE + 1);
  return pageOf(rows, LIST_PAGE_SIZE, toAlbumGrant, ({ member_id, owner_id }) =>
    direction === "given" ? member_id : owner_id,
  );
}

const Cursor = z.object({ cursor: Id.optional() });
const Grants = z.object({ items: z.array(AlbumGrant), nextCursor: z.number().optional() });

/** Who may see whose private album. A revoke takes effect with the next request, because every picture request checks the same rows. */
export const albumsRouter = router({
  status: memberProcedure("GET /album/{profileId}", "Album access between two members")
    .input(z.object({ profileId: Id }))
    .output(AlbumStatus)
    .query(({ ctx, input }) => {
      countOpened(ctx, input.profileId);
      return getStatus(ctx, input.profileId);
    }),

  given: memberProcedure("GET /album-grants/given", "Who may see, or asks to see, the viewer's album", { list: true })
    .input(Cursor)
    .output(Grants)
    .query(({ ctx, input }) => listGrants(ctx, "given", input.cursor)),

  received: memberProcedure("GET /album-grants/received", "Albums that are open to the viewer, or requested", {
    list: true,
  })
    .input(Cursor)
    .output(Grants)
    .query(({ ctx, input }) => listGrants(ctx, "received", input.cursor)),

  request: memberProcedure("POST /album-request", "Request a member's private album")
    .input(AlbumRequest)
    .output(AlbumStatus)
    .mutation(async ({ ctx, input }) => {
      const { ownerProfileId: ownerId } = input;
      const { profileId } = ctx.viewer;
      const before = await getStatus(ctx, ownerId);
      if (before.received !== "none") return before;
      await requireSeenBy(ctx, ownerId);
      await spendQuota(ctx, "relations", profileId, { relations: 1 });
      // A member who declines must not be asked again and again.
      await spendLimit(ctx, `album-request:${profileId}:${ownerId}`, ALBUM_REQUESTS_PER_DAY_MAX, DAY_MS);
      const [, notified] = await batch(ctx.d1, [
        insertAlbumRequestQuery(ctx, ownerId),
        insertNotificationQuery(ctx, {
          profileId: ownerId,
          kind: "album",
          aboutId: profileId,
          bodyText: inEachLocale(albumsCopy, (text) => text.requested),
          url: `/profile/${profileId}`,
          // Not when the owner went out of sight meanwhile, or has answered an earlier request.
          onlyIf: sql<boolean>`exists (select 1 from album_grant g where g.owner_id = ${ownerId}
            and g.member_id = ${profileId} and g.state = 'requested' and g.ts_created = ${ctx.now})`,
        }),
      ]);
      if (notified.length > 0) announce(ctx, ownerId, "album", profileId);
      // One that was withheld is open now.
      const { received, receivedTsExpires } = await getStatus(ctx, ownerId);
      return { ...before, received: received === "none" ? "requested" : received, receivedTsExpires };
    }),

  withdraw: memberCommand("DELETE /album-request/{ownerProfileId}", "Withdraw a request, or give up access")
    .input(AlbumRequest)
    .mutation(({ ctx, input }) => leaveAlbum(ctx, input.ownerProfileId)),

  grant: memberProcedure("PUT /album-grant", "Open one's own album to a member, with or without an expiry")
    .input(AlbumGrantUpdate)
    .output(AlbumStatus)
    .mutation(async ({ ctx, input }) => {
      const { memberProfileId: memberId } = input;
      const { profileId } = ctx.viewer;
      const fixed = input.tsExpires ? Date.parse(input.tsExpires) : null;
      const expires = input.expiresInMs ? ctx.now + input.expiresInMs : fixed;
      if (expires !== null && expires <= ctx.now) {
        throw inputProblem("tsExpires", "PAST");
      }
      const before = await getStatus(ctx, memberId);
      await spendQuota(ctx, "relations", profileId, { relations: 1 });
      const grant = upsertAlbumGrantQuery(ctx, memberId, expires);
      const notification = insertNotificationQuery(ctx, {
        profileId: memberId,
        kind: "album",
        aboutId: profileId,
        bodyText: inEachLocale(albumsCopy, (text) => text.opened),
        url: `/profile/${profileId}`,
      });
      // Opened and closed all night, it would ring the other's phone as often.
      const isTold =
        before.given !== "granted" &&
        (await isWithinLimit(ctx.env, `album-opened:${profileId}:${memberId}`, ALBUM_REQUESTS_PER_DAY_MAX, DAY_MS));
      const disclosed = discloseAlbumQuery(ctx, memberId);
      const [written, , notified] = await batch(ctx.d1, [grant, disclosed, ...(isTold ? [notification] : [])]);
      if (written.length === 0) throw new AppError("NOT_FOUND");
      if (notified?.length) announce(ctx, memberId, "album", profileId);
      updateShownTo(ctx, memberId);
      return { ...before, given: "granted", givenTsExpires: toIsoOrNull(expires) };
    }),

  revoke: memberCommand("DELETE /album-grant/{memberProfileId}", "Revoke access, or decline a request")
    .input(z.object({ memberProfileId: Id }))
    .mutation(async ({ ctx, input }) => {
      await deleteAlbumGrant(ctx.db, ctx.viewer.profileId, input.memberProfileId);
      updateShownTo(ctx, input.memberProfileId);
    }),
});
