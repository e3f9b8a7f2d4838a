import { DAY_MS, REPORTS_PER_DAY_MAX } from "@lambda/contract/limits";
import type { ReportDraft } from "@lambda/contract/reports";
import type { z } from "zod";
import { withdrawUnsentEvidence } from "../../messaging/messages/reportable.ts";
import { AppError } from "../../platform/errors.ts";
import { bytesOf } from "../../platform/rate-limits/bytes.ts";
import { spendLimit, spendQuota } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import {
  type FrozenItem,
  freezeIntroduction,
  freezeMessages,
  freezeOpenOncePictures,
  freezePictures,
  freezeProfile,
} from "../evidence/freeze.ts";
import { openCase, type ReportResult } from "./open-case.ts";
import { findDesk, readCredibility } from "./reporter.ts";

/**
 * Files a report, or joins it to the open case against the same member. Throws NOT_FOUND for a member with whom the
 * reporter never had contact, TOO_MANY_REQUESTS beyond the daily limit.
 */
export async function fileReport(ctx: MemberContext, draft: z.output<typeof ReportDraft>): Promise<ReportResult> {
  const { subjectProfileId: subjectId, category, source, text } = draft;
  if (subjectId === ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
  const desk = await findDesk(ctx, subjectId);
  if (!desk) throw new AppError("NOT_FOUND");
  await spendLimit(ctx, `report:${ctx.viewer.profileId}`, REPORTS_PER_DAY_MAX, DAY_MS);

  const messageIds = [...draft.messageIds];
  const pictureIds = [...draft.pictureIds];
  if (source === "message" || source === "broadcast") messageIds.push(draft.sourceId ?? 0);
  if (source === "picture") pictureIds.push(draft.sourceId ?? 0);
  const [profile, messages, pictures, openOnce, voices] = await Promise.all([
    freezeProfile(ctx.db, subjectId, ctx.now),
    freezeMessages(ctx, subjectId, [...new Set(messageIds)]),
    freezePictures(ctx, subjectId, pictureIds),
    freezeOpenOncePictures(ctx, subjectId, [...new Set(messageIds)]),
    freezeIntroduction(ctx, subjectId, draft.voiceId),
  ]);
  const candidates = source === "picture" ? pictures : messages;
  if (source !== "profile" && !candidates.some((item) => item.sourceId === draft.sourceId))
    throw new AppError("NOT_FOUND");

  const items = [profile, ...messages, ...pictures, ...openOnce, ...voices];
  await spendReportBytes(ctx, items, text);
  const credibility = await readCredibility(ctx);
  const filed = await openCase(
    { ...ctx, brand: desk },
    {
      subjectId,
      category,
      source,
      sourceId: source === "profile" ? subjectId : (draft.sourceId ?? subjectId),
      text,
      reporterId: ctx.viewer.profileId,
      credibility,
      items,
    },
  );
  await withdrawUnsentEvidence(
    ctx,
    subjectId,
    messages.map(({ sourceId }) => sourceId),
  );
  return filed;
}

/** Throws TOO_MANY_REQUESTS. */
export function spendReportBytes(ctx: MemberContext, items: readonly FrozenItem[], text: string): Promise<void> {
  const reportBytes = bytesOf(JSON.stringify(items)) + bytesOf(text);
  return spendQuota(ctx, "reports", ctx.viewer.profileId, { reportBytes });
}
