import type { NoticeForward } from "@lambda/contract/notices";
import type { z } from "zod";
import { onBrand } from "../../platform/context.ts";
import { guardQuery } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { NO_MAIL } from "../../platform/mail/send-mail.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { freezePicture, freezeProfile } from "../evidence/freeze.ts";
import { caseIdOf, type NewCase, openCase } from "../report/open-case.ts";
import { conflictIfDecided } from "../staff/cases.ts";
import { canActOn, getMemberInScope } from "../staff/scope.ts";
import { getOpenNotice, isUndecided } from "./apply-decision.ts";
import { noticeEvent } from "./events.ts";
import { prepareDecision } from "./mails.ts";
import { viewQuery } from "./tell-owners.ts";

const FORWARDED_CREDIBILITY = 0.8;

/**
 * Opens a case against a member, or joins the open one, which decides a notice without a hidden picture; a notice with
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
    subjectPictures.map((picture) =>
      freezePicture(ctx.env, { ...picture, id: picture.picture_id, nsfw: true }, ctx.now, true),
    ),
  );
  const pictureIds = subjectPictures.map(({ picture_id }) => picture_id);
  const [first] = subjectPictures;
  const newCase: NewCase = {
    subjectId,
    category: rule,
    source: first ? "picture" : "profile",
    sourceId: first?.picture_id ?? subjectId,
    text,
    filer: "visitor",
    credibility: FORWARDED_CREDIBILITY,
    items: member.listed === 1 ? [...frozen, await freezeProfile(ctx.db, subjectId, ctx.now)] : frozen,
  };
  const staffId = ctx.viewer.profileId;
  const isDecided = !pictures.some(({ state }) => state === "hidden");
  const decided = { state: "forwarded", ts_decided: ctx.now, decided_by: staffId } as const;
  const mail = isDecided ? prepareDecision(ctx, notice, "forwarded", "") : NO_MAIL;
  const forwarded = { details: { rule }, subjectId, actorId: staffId, privateDetails: { reason: text } };
  await conflictIfDecided(() =>
    openCase(onBrand(ctx, notice.brand), newCase, (caseRef) => ({
      queries: [
        guardQuery(ctx.db, isUndecided(notice)),
        viewQuery(ctx, notice.id, pictureIds),
        ctx.db
          .updateTable("notice")
          .set({ report_id: caseIdOf(ctx.db, caseRef) })
          .set(isDecided ? decided : {})
          .where("id", "=", notice.id),
        ...mail.queries,
      ],
      // Under the case's reference, so that it is published once the case is decided.
      events: [noticeEvent({ ...notice, case_ref: caseRef }, "forwarded", forwarded)],
    })),
  );
  ctx.waitUntil(mail.deliver());
}
