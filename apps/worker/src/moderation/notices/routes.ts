/** Serves the bytes of a notice's pictures to staff who administer its brand. */
import { sql } from "kysely";
import { getVariant } from "../../pictures/store.ts";
import { isBrandAdmin, type MemberContext } from "../../platform/access.ts";
import { AppError, notFound } from "../../platform/errors.ts";
import { byteRoute, idIn, privatePicture, sendBytes } from "../../platform/rest/byte-routes.ts";
import { staffEvent, withAudit } from "../audit/log.ts";
import { noticeInScope, publicInScope } from "../staff/scope.ts";
import { viewQuery } from "./tell-owners.ts";

const NOTICE_PICTURE_WIDTH = 1024;

export const NOTICE_ROUTES = [
  byteRoute(
    "member",
    "GET /notice-picture/{noticeId}/{id}",
    privatePicture("A picture that a notice is about, for staff", "noticeDesk.picture"),
    (ctx, c) => sendPicture(ctx, idIn(c, "noticeId"), idIn(c)),
  ),
];

/**
 * Logs the view before sending the picture, in the version that the notice attached or that members see now. Throws the same NOT_FOUND
 * for a missing picture and for one out of scope.
 */
async function sendPicture(ctx: MemberContext, noticeId: number, pictureId: number) {
  if (!isBrandAdmin(ctx)) throw new AppError("NOT_FOUND");
  const row = await ctx.db
    .selectFrom("notice_picture as h")
    .innerJoin("notice as n", "n.id", "h.notice_id")
    .innerJoin("picture as pic", "pic.id", "h.picture_id")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .select(["pic.id", "pic.profile_id", "pic.version", "pic.audience", "n.brand"])
    .where("h.notice_id", "=", noticeId)
    .where("h.picture_id", "=", pictureId)
    .where(noticeInScope(ctx))
    .where(sql<boolean>`(pic.version = h.version or ${publicInScope(ctx)})`)
    .executeTakeFirstOrThrow(notFound);
  const privateDetails = { noticeId, pictureId: row.id };
  const viewed = { brand: row.brand, subjectId: row.profile_id, privateDetails };
  await withAudit(ctx, [viewQuery(ctx, noticeId, [row.id])], [staffEvent(ctx, "staff.evidence_viewed", viewed)]);
  const body = await getVariant(ctx.env, row, NOTICE_PICTURE_WIDTH);
  if (!body) throw new AppError("NOT_FOUND");
  return sendBytes(body as BodyInit);
}
