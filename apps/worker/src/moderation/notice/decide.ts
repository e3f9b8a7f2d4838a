/** Staff decisions about notices. Each runs once, is logged in the audit log, and notifies the people concerned. */

import { getBrand } from "@lambda/brands";
import type { NoticeForward } from "@lambda/contract/notices";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { Compiled } from "../../platform/db/batch.ts";
import { guardQuery } from "../../platform/db/guard.ts";
import type { NoticePictureRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { announce } from "../../social/notifications/announce.ts";
import { isOpen } from "../../social/pictures/hidden.ts";
import { deleteKnownPictureQueries, insertKnownPictureQueries } from "../../social/pictures/known/known.ts";
import { hidePictureQueries } from "../../social/pictures/queries.ts";
import { restorePictureQueries } from "../action/actions.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { withAudit } from "../audit/log.ts";
import { freezePicture, freezeProfile } from "../evidence/freeze.ts";
import { openCase } from "../report/file-report.ts";
import { decideOnce } from "../staff/cases.ts";
import { canActOn, getMemberInScope, listedInScope } from "../staff/scope.ts";
import { getNotice } from "./desk.ts";
import { askedEvent, counterDecidedEvent, decidedEvent, forwardedEvent, namedEvent } from "./events.ts";
import { mailDecision, mailQuestion } from "./mails.ts";
import { insertNoticePictureQueries, listPictures, notifyOwnerQuery } from "./match.ts";

type Notice = Awaited<ReturnType<typeof getNotice>>;
type NoticePictures = readonly Pick<NoticePictureRow, "picture_id" | "profile_id" | "version" | "state" | "hash">[];

/** The credibility of a notice that staff forward to a case. */
const FORWARDED_CREDIBILITY = 0.8;

/** Removes all pictures of the notice and blocks uploads of copies. Throws BAD_INPUT if the notice has no picture. */
export async function removePictures(ctx: MemberContext, id: number, reason: string): Promise<void> {
  const { notice, pictures } = await getOpenNotice(ctx, id);
  const present = pictures.filter(({ state }) => state === "named" || state === "hidden");
  if (present.length === 0) throw new AppError("BAD_INPUT", { field: "id", message: "Name a picture first." });
  const owners = ownersOf(present);
  await applyDecision(
    ctx,
    notice,
    [
      ...decideQueries(ctx, notice, { state: "removed", reason, counter: "refused" }),
      setPicturesQuery(ctx, id, present, "removed"),
      ...present.flatMap((picture) =>
        picture.state === "named" ? hidePictureQueries(ctx.db, toPicture(picture), ctx.now) : [],
      ),
      ...rememberQueries(ctx, notice, present),
      ...owners.map((owner) => notifyOwnerQuery(withNoticeBrand(ctx, notice), owner, "removed")),
    ],
    [decidedEvent(notice, "removed", { staffId: ctx.viewer.profileId, subjectId: owners[0] ?? null, reason }, ctx.now)],
    owners,
  );
  ctx.waitUntil(mailDecision(ctx, notice, "removed", reason));
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

/**
 * Adds a picture that staff identified from the notice's text. Throws NOT_FOUND unless members in the admin's scope can
 * see the picture, so that naming a picture never gives access to it.
 */
export async function namePicture(ctx: MemberContext, id: number, pictureId: number): Promise<void> {
  const { notice } = await getOpenNotice(ctx, id);
  const visible = await ctx.db
    .selectFrom("picture as pic")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .select("pic.id")
    .where("pic.id", "=", pictureId)
    .where("pic.audience", "=", "public")
    .where(isOpen("pic"))
    .where(listedInScope(ctx))
    .executeTakeFirst();
  const [picture] = visible ? await listPictures(ctx.db, [pictureId]) : [];
  if (!picture) throw new AppError("NOT_FOUND");
  await requireCanJudge(ctx, [picture.profile_id]);
  const event = namedEvent(notice, ctx.viewer.profileId, picture.profile_id, pictureId);
  await applyDecision(ctx, notice, insertNoticePictureQueries(ctx, id, picture, false), [event]);
}

/**
 * Opens a case against a member, or joins the open one. That decides a notice without a hidden picture; a notice with
 * one still needs its own decision. Throws NOT_FOUND for a member outside of the admin's scope.
 */
export async function forwardNotice(ctx: MemberContext, draft: z.output<typeof NoticeForward>): Promise<void> {
  const { notice, pictures } = await getOpenNotice(ctx, draft.id);
  if (notice.report_id !== null) throw new AppError("CONFLICT");
  const { subjectProfileId: subjectId, rule, text } = draft;
  const member = await getMemberInScope(ctx, subjectId);
  if (!canActOn(ctx, member, false)) throw new AppError("NOT_ALLOWED");
  const subjectPictures = pictures.filter(({ profile_id }) => profile_id === subjectId);
  const frozen = await Promise.all(
    subjectPictures.map(async (picture) => ({
      ...(await freezePicture(ctx.env, { ...toPicture(picture), version: picture.version, nsfw: true }, ctx.now)),
      staffOnly: true,
    })),
  );
  const [first] = subjectPictures;
  const { id: reportId } = await openCase(withNoticeBrand(ctx, notice), {
    subjectId,
    category: rule,
    source: first ? "picture" : "profile",
    sourceId: first?.picture_id ?? subjectId,
    text,
    reporterId: null,
    filer: "visitor",
    credibility: FORWARDED_CREDIBILITY,
    items: [...frozen, await freezeProfile(ctx.db, subjectId, ctx.now)],
  });
  const report = await ctx.db
    .selectFrom("report")
    .select("case_ref")
    .where("id", "=", reportId)
    .executeTakeFirstOrThrow();
  const isDecided = !pictures.some(({ state }) => state === "hidden");
  const decided = { state: "forwarded", ts_decided: ctx.now, decided_by: ctx.viewer.profileId } as const;
  await applyDecision(
    ctx,
    notice,
    [
      ctx.db
        .updateTable("notice")
        .set({ report_id: reportId, ...(isDecided && decided) })
        .where("id", "=", notice.id)
        .compile(),
    ],
    [forwardedEvent(notice, report.case_ref, rule, { staffId: ctx.viewer.profileId, subjectId, reason: text })],
  );
  if (isDecided) ctx.waitUntil(mailDecision(ctx, notice, "forwarded", ""));
}

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

/** Blocks uploads of copies of the removed pictures on all brands. */
function rememberQueries({ db, now }: MemberContext, { id, category }: Notice, pictures: NoticePictures): Compiled[] {
  if (category !== "intimate" && category !== "minor") return [];
  return pictures.flatMap(({ hash }) =>
    hash === null ? [] : insertKnownPictureQueries(db, { hash, source: `notice:${id}`, rule: category, now }),
  );
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

/**
 * Loads an undecided notice in scope, with its pictures. Throws NOT_FOUND, CONFLICT if decided, NOT_ALLOWED for an
 * admin's own pictures.
 */
async function getOpenNotice(ctx: MemberContext, id: number) {
  const notice = await getNotice(ctx, id);
  if (notice.ts_decided !== null) throw new AppError("CONFLICT");
  const pictures = await listNoticePictures(ctx, id);
  await requireCanJudge(ctx, ownersOf(pictures));
  return { notice, pictures };
}

function listNoticePictures({ db }: MemberContext, id: number) {
  return db
    .selectFrom("notice_picture")
    .select(["picture_id", "profile_id", "version", "state", "hash"])
    .where("notice_id", "=", id)
    .execute();
}

/** Admins cannot judge their own pictures, and only network admins can judge those of other admins. */
async function requireCanJudge(ctx: MemberContext, owners: readonly number[]): Promise<void> {
  for (const owner of owners) {
    const member = await ctx.db
      .selectFrom("account")
      .select(["id", "home_brand", "admin_brand"])
      .where("id", "=", owner)
      .executeTakeFirst();
    if (member && !canActOn(ctx, member, false)) throw new AppError("NOT_ALLOWED");
  }
}

async function hasOtherJudge({ db, viewer }: MemberContext, { brand }: Notice, owner: number): Promise<boolean> {
  const other = await db
    .selectFrom("account as a")
    .innerJoin("profile as p", "p.id", "a.id")
    .select("a.id")
    .where("a.admin_brand", "in", ["*", brand])
    .where("a.id", "not in", [viewer.profileId, owner])
    .where("a.ts_deleted", "is", null)
    .where("p.status", "=", "active")
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * Runs a decision's queries if the notice is unchanged or the given condition holds. Throws CONFLICT if somebody else
 * was faster.
 */
async function applyDecision(
  ctx: MemberContext,
  expected: Notice | RawBuilder<boolean>,
  queries: readonly Compiled[],
  events: readonly AuditEvent[],
  owners: readonly number[] = [],
): Promise<void> {
  const condition =
    "ref" in expected
      ? sql<boolean>`exists (select 1 from notice where id = ${expected.id} and ts_decided is null and report_id is ${expected.report_id})`
      : expected;
  await decideOnce(() => withAudit(ctx, [guardQuery(ctx.db, condition), ...queries], events));
  for (const owner of owners) announce(ctx, owner, "standing");
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

function setPicturesQuery(
  { db }: MemberContext,
  id: number,
  pictures: NoticePictures,
  state: "removed" | "cleared",
): Compiled {
  const ids = pictures.map((picture) => picture.picture_id);
  return db
    .updateTable("notice_picture")
    .set({ state })
    .where("notice_id", "=", id)
    .where("picture_id", "in", ids.length > 0 ? ids : [0])
    .compile();
}

/** Uses the notice's brand, so that owners are notified on the brand whose staff decide. */
function withNoticeBrand(ctx: MemberContext, { brand }: Notice): MemberContext {
  return { ...ctx, brand: getBrand(brand as Parameters<typeof getBrand>[0]) };
}

function ownersOf(pictures: NoticePictures): number[] {
  return [...new Set(pictures.map(({ profile_id }) => profile_id))];
}

function toPicture({ picture_id, profile_id }: NoticePictures[number]) {
  return { id: picture_id, profile_id };
}
