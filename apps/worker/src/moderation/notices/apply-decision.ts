/** What all decisions about notices share: who may judge, and the one batch that writes them. */

import type { PictureAudience } from "@lambda/contract/pictures";
import { type RawBuilder, sql } from "kysely";
import { announce, insertNotificationQuery } from "../../notifications/notify.ts";
import { onBrand } from "../../platform/context.ts";
import type { Query } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { NO_MAIL, type PreparedMail } from "../../platform/mail/send-mail.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { decideOnce } from "../staff/cases.ts";
import { canActOn, listJudged, type ScopedMember } from "../staff/scope.ts";
import { getNotice } from "./desk.ts";
import { type OwnerEvent, ownerNotification } from "./match.ts";

export type Notice = Awaited<ReturnType<typeof getNotice>>;
export type NoticePictures = readonly Awaited<ReturnType<typeof listNoticePictures>>[number][];

/**
 * Loads an undecided notice in scope, with its pictures. Throws NOT_FOUND, CONFLICT if decided, NOT_ALLOWED for an
 * admin's own pictures.
 */
export async function getOpenNotice(ctx: MemberContext, id: number) {
  const notice = await getNotice(ctx, id);
  if (notice.ts_decided !== null) throw new AppError("CONFLICT");
  const pictures = await listNoticePictures(ctx, id);
  await requireCanJudge(ctx, ownersOf(pictures));
  return { notice, pictures };
}

export function listNoticePictures({ db }: MemberContext, id: number) {
  return db
    .selectFrom("notice_picture as h")
    .leftJoin("picture as pic", "pic.id", "h.picture_id")
    .select(["h.picture_id", "h.profile_id", "h.version", "h.state", "h.hash", "h.sealed_print", "h.alike"])
    .select(sql<PictureAudience>`ifnull(pic.audience, 'public')`.as("audience"))
    .where("h.notice_id", "=", id)
    .execute();
}

/** Admins cannot judge their own pictures, and only network admins can judge those of other admins. Returns the owners. */
export async function requireCanJudge(ctx: MemberContext, owners: readonly number[]): Promise<ScopedMember[]> {
  if (owners.length === 0) return [];
  const members = await listJudged(ctx, owners);
  if (members.some((member) => !canActOn(ctx, member, false))) throw new AppError("NOT_ALLOWED");
  return members;
}

interface DecisionWrites {
  readonly queries: readonly Query[];
  readonly events: readonly AuditEvent[];
  /** The owners who are notified, on the brand whose staff decide. */
  readonly told?: Partial<Record<OwnerEvent, readonly number[]>>;
  readonly mail?: PreparedMail;
}

/** Writes a decision if the condition still holds. Throws CONFLICT if somebody else was faster. */
export async function applyDecision(
  ctx: MemberContext,
  notice: Notice,
  { queries, events, told = {}, mail = NO_MAIL }: DecisionWrites,
  condition: RawBuilder<boolean> = isUndecided(notice),
): Promise<void> {
  const owners = Object.entries(told).flatMap(([event, ids]) => ids.map((id) => ({ id, event: event as OwnerEvent })));
  const brandCtx = onBrand(ctx, notice.brand);
  const notifications = owners.map(({ id, event }) => insertNotificationQuery(brandCtx, ownerNotification(id, event)));
  await decideOnce(ctx, condition, [...queries, ...notifications, ...mail.queries], events);
  ctx.waitUntil(mail.deliver());
  for (const { id } of owners) announce(brandCtx, id, "standing");
}

/** Whether nobody has decided or forwarded the notice since it was read. */
export function isUndecided({ id, report_id }: Notice): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from notice where id = ${id} and ts_decided is null and report_id is ${report_id})`;
}

export function ownersOf(pictures: NoticePictures): number[] {
  return [...new Set(pictures.map(({ profile_id }) => profile_id))];
}
