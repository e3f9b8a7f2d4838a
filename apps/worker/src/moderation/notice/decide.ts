/** Staff decisions about notices. Each runs once, is logged in the audit log, and notifies the people concerned. */
import type { Compiled } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { exemptQueries } from "../../social/pictures/known/exempt.ts";
import { insertKnownPictureQueries } from "../../social/pictures/known/known.ts";
import { hidePictureQueries } from "../../social/pictures/queries.ts";
import { restorePictureQueries } from "../action/actions.ts";
import {
  applyDecision,
  getOpenNotice,
  type Notice,
  type NoticePictures,
  ownersOf,
  setPicturesQuery,
  toPicture,
  withNoticeBrand,
} from "./apply-decision.ts";
import { askedEvent, decidedEvent } from "./events.ts";
import { mailDecision, mailQuestion } from "./mails.ts";
import { notifyOwnerQuery } from "./match.ts";

/**
 * Removes pictures of the notice and blocks uploads of copies. Without a choice it removes those that the notice names; with one, the
 * others stay and never match again. Throws BAD_INPUT if there is none to remove, NOT_FOUND for a picture of another notice.
 */
export async function removePictures(
  ctx: MemberContext,
  { id, reason, pictureIds }: { id: number; reason: string; pictureIds?: readonly number[] | undefined },
): Promise<void> {
  const { notice, pictures } = await getOpenNotice(ctx, id);
  const undecided = pictures.filter(({ state }) => state === "named" || state === "hidden");
  const present = undecided.filter(({ picture_id, alike }) => pictureIds?.includes(picture_id) ?? alike === 0);
  if (pictureIds && present.length < new Set(pictureIds).size) throw new AppError("NOT_FOUND", { field: "pictureIds" });
  if (present.length === 0) throw new AppError("BAD_INPUT", { field: "id", message: "Name a picture first." });
  const kept = pictureIds ? undecided.filter((picture) => !present.includes(picture)) : [];
  const owners = ownersOf(present);
  const shownAgain = kept.filter(({ state }) => state === "hidden");
  await applyDecision(
    ctx,
    notice,
    [
      ...decideQueries(ctx, notice, { state: "removed", reason, counter: "refused" }),
      setPicturesQuery(ctx, id, present, "removed"),
      ...(await keepQueries(ctx, id, kept)),
      ...present.flatMap((picture) =>
        picture.state === "named" ? hidePictureQueries(ctx.db, toPicture(picture), ctx.now) : [],
      ),
      ...rememberQueries(ctx, notice, present),
      ...owners.map((owner) => notifyOwnerQuery(withNoticeBrand(ctx, notice), owner, "removed")),
      ...ownersOf(shownAgain).map((owner) => notifyOwnerQuery(withNoticeBrand(ctx, notice), owner, "cleared")),
    ],
    [decidedEvent(notice, "removed", { staffId: ctx.viewer.profileId, subjectId: owners[0] ?? null, reason }, ctx.now)],
    owners,
  );
  ctx.waitUntil(mailDecision(ctx, notice, "removed", reason));
}

/** Keeps pictures that staff found to be others than those removed, and exempts them from later comparisons. */
async function keepQueries(ctx: MemberContext, id: number, kept: NoticePictures): Promise<Compiled[]> {
  if (kept.length === 0) return [];
  const exempted = await Promise.all(
    kept.map(({ picture_id, profile_id, version }) => exemptQueries(ctx, { id: picture_id, profile_id, version })),
  );
  return [
    setPicturesQuery(ctx, id, kept, "cleared"),
    ...kept.flatMap(({ state, picture_id, profile_id }) =>
      state === "hidden" ? restorePictureQueries(ctx, picture_id, profile_id) : [],
    ),
    ...exempted.flat(),
  ];
}

/** Rejects the notice and shows hidden pictures again. `unfounded` means that the notice's claims are false. */
export async function rejectNotice(
  ctx: MemberContext,
  { id, reason, unfounded }: { id: number; reason: string; unfounded: boolean },
): Promise<void> {
  const { notice, pictures } = await getOpenNotice(ctx, id);
  const hidden = pictures.filter(({ state }) => state === "hidden");
  const owners = ownersOf(hidden);
  await applyDecision(
    ctx,
    notice,
    [
      ...decideQueries(ctx, notice, { state: "rejected", reason, counter: "upheld", unfounded }),
      setPicturesQuery(ctx, id, pictures, "cleared"),
      ...hidden.flatMap((picture) => restorePictureQueries(ctx, picture.picture_id, picture.profile_id)),
      ...owners.map((owner) => notifyOwnerQuery(withNoticeBrand(ctx, notice), owner, "cleared")),
    ],
    [
      decidedEvent(
        notice,
        "rejected",
        { staffId: ctx.viewer.profileId, subjectId: owners[0] ?? null, reason },
        ctx.now,
      ),
    ],
    owners,
  );
  ctx.waitUntil(mailDecision(ctx, notice, "rejected", reason));
}

/** Asks the notifier a question; the deadline does not move. Throws BAD_INPUT for an anonymous notice. */
export async function askNotifier(ctx: MemberContext, id: number, text: string): Promise<void> {
  const { notice } = await getOpenNotice(ctx, id);
  if (notice.email === "") throw new AppError("BAD_INPUT", { field: "id", message: "There is nobody to ask." });
  await applyDecision(
    ctx,
    notice,
    [
      ctx.db.updateTable("notice").set({ state: "asked" }).where("id", "=", id).compile(),
      ctx.db.insertInto("notice_message").values({ notice_id: id, by_staff: 1, text, ts_created: ctx.now }).compile(),
    ],
    [askedEvent(notice, { staffId: ctx.viewer.profileId, reason: text })],
  );
  ctx.waitUntil(mailQuestion(ctx, notice, text));
}

/** Blocks uploads of copies of the removed pictures on all brands. */
function rememberQueries({ db, now }: MemberContext, { id, category }: Notice, pictures: NoticePictures): Compiled[] {
  if (category !== "intimate" && category !== "minor") return [];
  return pictures.flatMap(({ hash, sealed_print: sealedPrint, profile_id: profileId }) =>
    hash === null
      ? []
      : insertKnownPictureQueries(db, { hash, sealedPrint, source: `notice:${id}`, rule: category, profileId, now }),
  );
}

interface NoticeVerdict {
  readonly state: "removed" | "rejected";
  readonly reason: string;
  /** The result for counter-notices that owners filed before the decision. */
  readonly counter: "upheld" | "refused";
  readonly unfounded?: boolean;
}

function decideQueries({ db, now, viewer }: MemberContext, { id }: Notice, verdict: NoticeVerdict): Compiled[] {
  const { state, reason, counter, unfounded = false } = verdict;
  return [
    db
      .updateTable("notice")
      .set({ state, reason, unfounded: unfounded ? 1 : 0, ts_decided: now, decided_by: viewer.profileId })
      .where("id", "=", id)
      .compile(),
    db
      .updateTable("notice_counter")
      .set({ result: counter, ts_decided: now })
      .where("notice_id", "=", id)
      .where("result", "is", null)
      .compile(),
  ];
}
