/** Staff's reviews of items that voters could not decide: only pictures and texts that any member may see. */
import type { GameReview } from "@lambda/contract/games";
import { LIST_PAGE_SIZE } from "@lambda/contract/limits";
import { sql } from "kysely";
import { isOpen } from "../pictures/hidden.ts";
import { indexedBy } from "../platform/db/database.ts";
import type { GameItemTable } from "../platform/db/tables.ts";
import { AppError } from "../platform/errors.ts";
import { toIso } from "../platform/iso-time.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { redact } from "../profiles/redact.ts";
import { visibleTo } from "../visibility/visibility.ts";
import type { CommitAnswer } from "./commit.ts";
import { type SettledItem, settleItem } from "./effects.ts";
import { versionOf } from "./items.ts";
import { ANSWERS } from "./record.ts";

/** Rows in one read: enough to pass over many edited texts, with at most a megabyte of them. */
const READ_MAX = 400;

interface ReviewRow extends SettledItem, Pick<GameItemTable, "ts_staff"> {
  readonly why: NonNullable<GameItemTable["staff_reason"]>;
  readonly profile_name: string;
  readonly description: string;
}

/** Items of members visible to this admin; those of members who hide or blocked the admin wait for another admin. */
function selectReviewRows(ctx: MemberContext) {
  return ctx.db
    .selectFrom(indexedBy("game_item", "i", "game_item_staff"))
    .crossJoin("profile as p")
    .leftJoin("picture as pic", (join) =>
      join.onRef("pic.id", "=", "i.picture_id").onRef("pic.version", "=", "i.version"),
    )
    .select([
      "i.id",
      "i.game",
      "i.picture_id",
      "i.subject_id",
      "i.version",
      "i.answer",
      "i.ts_review_asked",
      "i.ts_decided",
    ])
    .select(["i.ts_staff", "i.staff_reason as why", "p.profile_name", "p.description"])
    .whereRef("p.id", "=", "i.subject_id")
    .where("i.staff_reason", "is not", null)
    .where(sql<boolean>`(i.picture_id is null or (pic.audience = 'public' and ${isOpen("pic")}))`)
    .where(visibleTo(ctx))
    .$narrowType<{ why: ReviewRow["why"] }>();
}

/** A text edited since is a different item, for which nobody waits. */
const isCurrent = (row: ReviewRow) => row.picture_id !== null || versionOf(row.description) === row.version;

/** The items that wait longest. Edited texts stay, as they may return, and must not take the places of the others: it reads on behind them. */
async function listReviewRows(ctx: MemberContext): Promise<ReviewRow[]> {
  const current: ReviewRow[] = [];
  for (let offset = 0; ; offset += READ_MAX) {
    const rows = await selectReviewRows(ctx)
      .orderBy("i.ts_staff")
      .orderBy("i.id")
      .limit(READ_MAX)
      .offset(offset)
      .execute();
    current.push(...rows.filter(isCurrent));
    if (rows.length < READ_MAX || current.length >= LIST_PAGE_SIZE) return current.slice(0, LIST_PAGE_SIZE);
  }
}

async function findReviewRow(ctx: MemberContext, itemId: number): Promise<ReviewRow | undefined> {
  const row = await selectReviewRows(ctx).where("i.id", "=", itemId).executeTakeFirst();
  return row && isCurrent(row) ? row : undefined;
}

export async function listReviews(ctx: MemberContext): Promise<GameReview[]> {
  return (await listReviewRows(ctx)).map((row) => ({
    itemId: row.id,
    game: row.game,
    why: row.why,
    pictureId: row.picture_id,
    text: row.picture_id === null ? redact(row.description, [row.profile_name]) : null,
    tsWaiting: toIso(row.ts_staff ?? 0),
  }));
}

/** Stores staff's answer, which stands until staff review it and makes the item a test item. Throws NOT_FOUND if it does not wait for staff. */
export async function decideReview(
  ctx: MemberContext,
  commit: CommitAnswer,
  itemId: number,
  answer: string,
): Promise<void> {
  const row = await findReviewRow(ctx, itemId);
  if (!row) throw new AppError("NOT_FOUND");
  if (!ANSWERS[row.game].includes(answer)) throw new AppError("BAD_INPUT", { field: "answer" });
  await settleItem(ctx, commit, row, { answer, share: 1, votes: 0, staff: true });
}
