/** What all decisions about notices share: who may judge, and the one batch that writes them. */
import { getBrand } from "@lambda/brands";
import type { PictureAudience } from "@lambda/contract/pictures";
import { type RawBuilder, sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import { guardQuery } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { announce } from "../../social/notifications/announce.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { withAudit } from "../audit/log.ts";
import { conflictIfDecided } from "../staff/cases.ts";
import { canActOn } from "../staff/scope.ts";
import { getNotice } from "./desk.ts";

export type Notice = Awaited<ReturnType<typeof getNotice>>;
export type NoticePictures = Awaited<ReturnType<typeof listNoticePictures>>;

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

/** Admins cannot judge their own pictures, and only network admins can judge those of other admins. */
export async function requireCanJudge(ctx: MemberContext, owners: readonly number[]): Promise<void> {
  if (owners.length === 0) return;
  const members = await ctx.db
    .selectFrom("account")
    .select(["id", "home_brand", "admin_brand"])
    .where("id", "in", [...owners])
    .execute();
  if (members.some((member) => !canActOn(ctx, member, false))) throw new AppError("NOT_ALLOWED");
}

/**
 * Runs a decision's queries if the notice is unchanged or the given condition holds. Throws CONFLICT if somebody else
 * was faster.
 */
export async function applyDecision(
  ctx: MemberContext,
  expected: Notice | RawBuilder<boolean>,
  queries: readonly Compiled[],
  events: readonly AuditEvent[],
  owners: readonly number[] = [],
): Promise<void> {
  const condition = "ref" in expected ? isUndecided(expected) : expected;
  await conflictIfDecided(() => withAudit(ctx, [guardQuery(ctx.db, condition), ...queries], events));
  for (const owner of owners) announce(ctx, owner, "standing");
}

/** Whether nobody has decided or forwarded the notice since it was read. */
export function isUndecided({ id, report_id }: Notice): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from notice where id = ${id} and ts_decided is null and report_id is ${report_id})`;
}

export function setPicturesQuery(
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
export function withNoticeBrand(ctx: MemberContext, { brand }: Notice): MemberContext {
  return { ...ctx, brand: getBrand(brand as Parameters<typeof getBrand>[0]) };
}

export function ownersOf(pictures: NoticePictures): number[] {
  return [...new Set(pictures.map(({ profile_id }) => profile_id))];
}

export function toPicture({ picture_id, profile_id }: NoticePictures[number]) {
  return { id: picture_id, profile_id };
}
