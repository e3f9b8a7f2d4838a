/** Staff decisions about notices. Each runs once, is logged in the audit log, and notifies the people concerned. */
import { HOUR_MS } from "@lambda/contract/limits";
import type { CounterDecision, NoticeRejection, NoticeRemoval } from "@lambda/contract/notices";
import { sql } from "kysely";
import type { z } from "zod";
import { exemptQueries } from "../../pictures/known/held.ts";
import { deleteKnownPictureQueries, insertKnownPictureQueries } from "../../pictures/known/known.ts";
import { hidePictureQueries } from "../../pictures/queries.ts";
import type { Query } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { restorePictureQueries } from "../action/actions.ts";
import { publicTime } from "../audit/chain.ts";
import { hasOtherAdmin, isNetworkAdmin } from "../staff/scope.ts";
import {
  applyDecision,
  getOpenNotice,
  isUndecided,
  listNoticePictures,
  type Notice,
  type NoticePictures,
  ownersOf,
  requireCanJudge,
} from "./apply-decision.ts";
import { attachQueries } from "./attach.ts";
import { listAttachable } from "./attachable.ts";
import { findPart, getNotice } from "./desk.ts";
import { noticeEvent } from "./events.ts";
import { prepareDecision, prepareQuestion } from "./mails.ts";

/**
 * Removes pictures of the notice and blocks uploads of copies. Without a choice it removes those that the notice names; with one, the
 * others stay and never match again. Throws BAD_INPUT if there is none to remove, NOT_FOUND for a picture of another notice.
 */
export async function removePictures(
  ctx: MemberContext,
  { id, reason, pictureIds }: z.output<typeof NoticeRemoval>,
): Promise<void> {
  const { notice, pictures } = await getOpenNotice(ctx, id);
  const undecided = pictures.filter(({ state }) => state === "named" || state === "hidden");
  const removed = undecided.filter(({ picture_id, alike }) => pictureIds?.includes(picture_id) ?? alike === 0);
  if (pictureIds && removed.length < new Set(pictureIds).size) throw new AppError("NOT_FOUND", { field: "pictureIds" });
  if (removed.length === 0) throw new AppError("BAD_INPUT", { field: "id", message: "Name a picture first." });
  const cleared = pictureIds ? undecided.filter((picture) => !removed.includes(picture)) : [];
  const exempted = await Promise.all(
    cleared.map(({ picture_id: id, profile_id, version }) => exemptQueries(ctx, { id, profile_id, version })),
  );
  const verdict = { state: "removed", reason, removed, cleared, counter: "refused" } as const;
  await closeNotice(ctx, notice, verdict, [...rememberQueries(ctx, notice, removed), ...exempted.flat()]);
}

/** Rejects the notice and shows hidden pictures again. `unfounded` means that the notice's claims are false. */
export async function rejectNotice(
  ctx: MemberContext,
  { id, reason, unfounded }: z.output<typeof NoticeRejection>,
): Promise<void> {
  const { notice, pictures } = await getOpenNotice(ctx, id);
  const verdict = { state: "rejected", reason, removed: [], cleared: pictures, counter: "upheld", unfounded } as const;
  await closeNotice(ctx, notice, verdict);
}

interface NoticeVerdict {
  readonly state: "removed" | "rejected";
  readonly reason: string;
  readonly removed: NoticePictures;
  readonly cleared: NoticePictures;
  /** The result for counter-notices that owners filed before the decision. */
  readonly counter: "upheld" | "refused";
  readonly unfounded?: boolean;
}

async function closeNotice(
  ctx: MemberContext,
  notice: Notice,
  { state, reason, removed, cleared, counter, unfounded = false }: NoticeVerdict,
  queries: readonly Query[] = [],
): Promise<void> {
  const { db, now, viewer } = ctx;
  const shownAgain = ownersOf(cleared.filter((picture) => picture.state === "hidden"));
  const told = { removed: ownersOf(removed), cleared: shownAgain };
  const waitedMs = publicTime(now) - publicTime(notice.ts_created);
  const decided = noticeEvent(notice, "decided", {
    undecided: false,
    details: { rule: notice.category, outcome: state, waitedMs },
    subjectId: [...told.removed, ...shownAgain][0] ?? null,
    actorId: viewer.profileId,
    privateDetails: { reason },
  });
  await applyDecision(ctx, notice, {
    queries: [
      db
        .updateTable("notice")
        .set({ state, reason, unfounded: unfounded ? 1 : 0, ts_decided: now, decided_by: viewer.profileId })
        .where("id", "=", notice.id),
      db
        .updateTable("notice_counter")
        .set({ result: counter, ts_decided: now })
        .where("notice_id", "=", notice.id)
        .where("result", "is", null),
      ...removeQueries(ctx, notice, removed),
      ...clearQueries(ctx, notice, cleared),
      ...queries,
    ],
    events: [decided],
    told,
    mail: prepareDecision(ctx, notice, state, reason),
  });
}

/** Asks the notifier a question; the deadline does not move, and a repeat asks nothing. Throws BAD_INPUT for an anonymous notice. */
export async function askNotifier(ctx: MemberContext, id: number, text: string): Promise<void> {
  const { notice } = await getOpenNotice(ctx, id);
  if (notice.email === "") throw new AppError("BAD_INPUT", { field: "id", message: "There is nobody to ask." });
  const { db, now, viewer } = ctx;
  const last = db
    .selectFrom("notice_message")
    .select(({ fn }) => fn.max("id").as("id"))
    .where("notice_id", "=", id);
  const same = db
    .selectFrom("notice_message")
    .select("id")
    .where("id", "=", last)
    .where("by_staff", "=", 1)
    .where("text", "=", text)
    .where("ts_created", ">", now - HOUR_MS);
  if (await same.executeTakeFirst()) return;
  await applyDecision(
    ctx,
    notice,
    {
      queries: [
        db.updateTable("notice").set({ state: "asked" }).where("id", "=", id),
        db.insertInto("notice_message").values({ notice_id: id, by_staff: 1, text, ts_created: now }),
      ],
      events: [noticeEvent(notice, "asked", { actorId: viewer.profileId, privateDetails: { reason: text } })],
      mail: prepareQuestion(ctx, notice, text),
    },
    sql<boolean>`(${isUndecided(notice)} and not exists ${same})`,
  );
}

/**
 * Adds a picture that staff identified from the notice's text; one of another brand goes to the notice's part there. Throws NOT_FOUND
 * unless any member of a brand in the admin's scope can see it, so that naming a picture never gives access to it.
 */
export async function namePicture(ctx: MemberContext, id: number, pictureId: number): Promise<void> {
  const { notice, pictures } = await getOpenNotice(ctx, id);
  const [picture] = await listAttachable(ctx.db, notice.brand, { addressed: [pictureId], matching: [] });
  const isElsewhere = picture?.desk !== notice.brand;
  if (!picture || (isElsewhere && !isNetworkAdmin(ctx))) throw new AppError("NOT_FOUND");
  await requireCanJudge(ctx, [picture.profile_id]);
  const part = isElsewhere ? await findPart(ctx, notice.ref, picture.desk) : undefined;
  if (part && part.ts_decided !== null) throw new AppError("CONFLICT");
  const target = part ?? notice;
  const { brand, queries, events } = attachQueries(ctx, target, [picture], {
    hidden: new Set(),
    stays: pictures.length > 0,
  });
  const by = { subjectId: picture.profile_id, actorId: ctx.viewer.profileId, privateDetails: { pictureId } };
  await applyDecision(ctx, target, {
    queries: [ctx.db.updateTable("notice").set({ brand }).where("id", "=", target.id), ...queries],
    events: [noticeEvent({ ...target, brand: picture.desk }, "picture_named", by), ...events],
  });
}

/**
 * Decides an owner's counter-notice to a removal. Throws NOT_FOUND if none is pending, NOT_ALLOWED for the admin who
 * decided the notice, unless no other admin could.
 */
export async function decideCounterNotice(
  ctx: MemberContext,
  { id, subjectProfileId: ownerId, upheld, reason, unfounded }: z.output<typeof CounterDecision>,
): Promise<void> {
  const { db, now, viewer } = ctx;
  const notice = await getNotice(ctx, id);
  if (notice.state !== "removed") throw new AppError("NOT_FOUND");
  const pictures = (await listNoticePictures(ctx, id)).filter(({ profile_id }) => profile_id === ownerId);
  if (pictures.length === 0) throw new AppError("NOT_FOUND");
  const [owner] = await requireCanJudge(ctx, [ownerId]);
  if (notice.decided_by === viewer.profileId && owner && (await hasOtherAdmin(ctx, notice.brand, owner, false))) {
    throw new AppError("NOT_ALLOWED", { message: "You decided this notice: another admin judges the objection." });
  }
  const result = upheld ? "upheld" : "refused";
  const removed = pictures.filter(({ state }) => state === "removed");
  const decided = db
    .updateTable("notice_counter")
    .set({ result, reason, ts_decided: now })
    .where("notice_id", "=", id)
    .where("profile_id", "=", ownerId);
  // Blocking by other notices stays.
  const undo = () => [
    ...clearQueries(ctx, notice, removed),
    ...removed.flatMap(({ hash }) =>
      hash === null ? [] : deleteKnownPictureQueries(ctx.db, { source: `notice:${notice.id}`, hash }),
    ),
    ...(unfounded ? [db.updateTable("notice").set({ unfounded: 1 }).where("id", "=", id)] : []),
  ];
  const isPending = sql<boolean>`exists (select 1 from notice_counter where notice_id = ${id} and profile_id = ${ownerId} and result is null)`;
  const event = noticeEvent(notice, "counter_decided", {
    undecided: false,
    details: { result },
    subjectId: ownerId,
    actorId: viewer.profileId,
    privateDetails: { reason },
  });
  await applyDecision(
    ctx,
    notice,
    {
      queries: [decided, ...(upheld ? undo() : [])],
      events: [event],
      told: { [upheld ? "cleared" : "refused"]: [ownerId] },
      mail: prepareDecision(ctx, notice, upheld ? "counterUpheld" : "counterRefused", reason),
    },
    isPending,
  );
}

function removeQueries(ctx: MemberContext, { id }: Notice, pictures: NoticePictures): Query[] {
  return pictures.flatMap(({ picture_id, profile_id, state }) => [
    setPictureQuery(ctx, id, picture_id, "removed"),
    ...(state === "named" ? hidePictureQueries(ctx.db, { id: picture_id, profile_id }, ctx.now) : []),
  ]);
}

/** Keeps pictures, and shows those again that the notice hid. */
function clearQueries(ctx: MemberContext, { id }: Notice, pictures: NoticePictures): Query[] {
  return pictures.flatMap(({ picture_id, profile_id, state }) => [
    setPictureQuery(ctx, id, picture_id, "cleared"),
    ...(state === "named" ? [] : restorePictureQueries(ctx, picture_id, profile_id)),
  ]);
}

function setPictureQuery({ db }: MemberContext, noticeId: number, pictureId: number, state: "removed" | "cleared") {
  return db
    .updateTable("notice_picture")
    .set({ state })
    .where("notice_id", "=", noticeId)
    .where("picture_id", "=", pictureId);
}

/** Blocks uploads of copies of the removed pictures on all brands. */
function rememberQueries({ db, now }: MemberContext, { id, category }: Notice, pictures: NoticePictures): Query[] {
  if (category !== "intimate" && category !== "minor") return [];
  return pictures.flatMap(({ hash, sealed_print: sealedPrint, profile_id: profileId }) =>
    hash === null
      ? []
      : insertKnownPictureQueries(db, { hash, sealedPrint, source: `notice:${id}`, rule: category, profileId, now }),
  );
}
