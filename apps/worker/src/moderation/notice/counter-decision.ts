import { sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { deleteKnownPictureQueries } from "../../social/pictures/known/known.ts";
import { restorePictureQueries } from "../action/actions.ts";
import { isActiveAdminOf } from "../staff/scope.ts";
import {
  applyDecision,
  listNoticePictures,
  type Notice,
  type NoticePictures,
  requireCanJudge,
  setPicturesQuery,
  withNoticeBrand,
} from "./apply-decision.ts";
import { getNotice } from "./desk.ts";
import { counterDecidedEvent } from "./events.ts";
import { mailDecision } from "./mails.ts";
import { notifyOwnerQuery } from "./match.ts";

/**
 * Decides an owner's counter-notice to a removal. Throws NOT_FOUND if none is pending, NOT_ALLOWED for the admin who
 * decided the notice, unless no other admin could.
 */
export async function decideCounterNotice(
  ctx: MemberContext,
  draft: { id: number; subjectProfileId: number; upheld: boolean; reason: string; unfounded: boolean },
): Promise<void> {
  const { id, subjectProfileId: owner, upheld, reason, unfounded } = draft;
  const notice = await getNotice(ctx, id);
  if (notice.state !== "removed") throw new AppError("NOT_FOUND");
  const pictures = (await listNoticePictures(ctx, id)).filter(({ profile_id }) => profile_id === owner);
  if (pictures.length === 0) throw new AppError("NOT_FOUND");
  await requireCanJudge(ctx, [owner]);
  if (notice.decided_by === ctx.viewer.profileId && (await hasOtherJudge(ctx, notice, owner))) {
    throw new AppError("NOT_ALLOWED", { message: "You decided this notice: another admin judges the objection." });
  }
  const isPending = sql<boolean>`exists (select 1 from notice_counter where notice_id = ${id} and profile_id = ${owner} and result is null)`;
  const result = upheld ? "upheld" : "refused";
  const removed = pictures.filter(({ state }) => state === "removed");
  await applyDecision(
    ctx,
    isPending,
    [
      ctx.db
        .updateTable("notice_counter")
        .set({ result, reason, ts_decided: ctx.now })
        .where("notice_id", "=", id)
        .where("profile_id", "=", owner)
        .compile(),
      ...(upheld ? [...restoreQueries(ctx, id, removed), ...forgetQueries(ctx, notice, removed)] : []),
      ...(upheld && unfounded
        ? [ctx.db.updateTable("notice").set({ unfounded: 1 }).where("id", "=", id).compile()]
        : []),
      notifyOwnerQuery(withNoticeBrand(ctx, notice), owner, upheld ? "cleared" : "refused"),
    ],
    [counterDecidedEvent(notice, result, { staffId: ctx.viewer.profileId, subjectId: owner, reason })],
    [owner],
  );
  ctx.waitUntil(mailDecision(ctx, notice, upheld ? "counterUpheld" : "counterRefused", reason));
}

/** Undoes this notice's blocking of copies; blocking by other notices stays. */
function forgetQueries({ db }: MemberContext, { id }: Notice, pictures: NoticePictures): Compiled[] {
  return pictures.flatMap(({ hash }) =>
    hash === null ? [] : deleteKnownPictureQueries(db, { source: `notice:${id}`, hash }),
  );
}

function restoreQueries(ctx: MemberContext, id: number, pictures: NoticePictures): Compiled[] {
  return [
    setPicturesQuery(ctx, id, pictures, "cleared"),
    ...pictures.flatMap((picture) => restorePictureQueries(ctx, picture.picture_id, picture.profile_id)),
  ];
}

/** Whether another admin may judge this owner; only network admins may judge admins. */
async function hasOtherJudge({ db, viewer }: MemberContext, { brand }: Notice, owner: number): Promise<boolean> {
  const other = await db
    .selectFrom("account as a")
    .innerJoin("profile as p", "p.id", "a.id")
    .select("a.id")
    .where(isActiveAdminOf(brand))
    .where("a.id", "not in", [viewer.profileId, owner])
    .where(
      sql<boolean>`(a.admin_brand = '*' or not exists (select 1 from account o where o.id = ${owner} and o.admin_brand is not null))`,
    )
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
