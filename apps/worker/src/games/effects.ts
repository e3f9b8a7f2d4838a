/** Applies an answer that votes or staff gave, and notifies the owner. */
import { sql } from "kysely";
import { notify } from "../notifications/notify.ts";
import { inEachLocale } from "../platform/copy.ts";
import { guardQuery, passesGuards, type Query } from "../platform/db/database.ts";
import type { GameItemTable } from "../platform/db/tables.ts";
import type { MemberContext } from "../platform/trpc.ts";
import type { CommitAnswer, Finding } from "./commit.ts";
import { gamesCopy } from "./copy.ts";
import { hasConsequence } from "./rules.ts";

/** The page where owners see the state of their pictures and can request a review. */
const OWN_PICTURES_URL = "/profileEdit";

export interface SettledItem
  extends Pick<
    GameItemTable,
    "game" | "picture_id" | "subject_id" | "version" | "answer" | "ts_review_asked" | "ts_decided"
  > {
  readonly id: number;
}

/** An answer and its support. `staff`: decided by an admin, not by votes. */
export interface Settlement {
  readonly answer: string;
  readonly share: number;
  readonly votes: number;
  readonly staff?: true;
}

/**
 * Sets an item's answer: marks or clears the picture, notifies its owner, and reports rule violations. Atomic, so that the next vote retries an
 * item whose report failed.
 */
export async function settleItem(
  ctx: MemberContext,
  commit: CommitAnswer,
  item: SettledItem,
  settlement: Settlement,
): Promise<void> {
  const { answer, share, votes, staff } = settlement;
  const nsfw = hasConsequence(answer);
  const who = staff ? "staff" : `${votes} members, ${Math.round(share * 100)} % of their weight,`;
  const { id: itemId, game, subject_id: subjectId } = item;
  const settled = commit(ctx, {
    queries: settlingQueries(ctx, item, settlement, nsfw),
    finding: answer === item.answer ? undefined : findingOf(item, answer, who),
    staffAnswer: staff && { subjectId, details: { game }, privateDetails: { itemId, answer } },
  });
  // A concurrent vote may settle it first.
  if (await passesGuards(settled)) await notifyOwner(ctx, item, nsfw);
}

function settlingQueries(
  { db, now }: MemberContext,
  item: SettledItem,
  { answer, share, staff }: Settlement,
  nsfw: boolean,
): Query[] {
  // Resets the tally: only later votes may contradict staff's answer, or each vote would send the item back to them.
  const by = staff
    ? ({ by_staff: 1, known: answer, staff_reason: null, ts_staff: null, tally: "{}" } as const)
    : ({ by_staff: 0, known: null } as const);
  const queries: Query[] = [
    guardQuery(db, sql<boolean>`exists (select 1 from game_item where id = ${item.id} and answer is ${item.answer})`),
    db
      .updateTable("game_item")
      .set({ answer, share, ts_decided: now, ...by })
      .where("id", "=", item.id),
  ];
  if (item.picture_id !== null) {
    const mark = nsfw ? 1 : 0;
    queries.push(
      db
        .updateTable("picture")
        .set({ nsfw_community: mark, ts_updated: now })
        .where("id", "=", item.picture_id)
        .where("version", "=", item.version)
        .where("nsfw_community", "<>", mark),
    );
  }
  return queries;
}

/** Notifies only the owner, only of changes, and never of who voted. */
async function notifyOwner(ctx: MemberContext, item: SettledItem, marked: boolean): Promise<void> {
  if (item.picture_id === null || item.subject_id === null) return;
  const wasMarked = item.answer !== null && hasConsequence(item.answer);
  const wasReviewRequested = item.ts_review_asked !== null && item.ts_review_asked > (item.ts_decided ?? 0);
  const key =
    marked === wasMarked ? marked && wasReviewRequested && "markConfirmed" : marked ? "marked" : "markCleared";
  if (!key) return;
  const bodyText = inEachLocale(gamesCopy, (text) => text[key]);
  await notify(ctx, { profileId: item.subject_id, kind: "picture", bodyText, url: OWN_PICTURES_URL });
}

/** Sends an item to staff, unless it already waits for them. */
export async function escalateToStaff(
  { db, now }: Pick<MemberContext, "db" | "now">,
  itemId: number,
  why: NonNullable<GameItemTable["staff_reason"]>,
): Promise<void> {
  await db
    .updateTable("game_item")
    .set({ staff_reason: why, ts_staff: now })
    .where("id", "=", itemId)
    .where("staff_reason", "is", null)
    .execute();
}

/** The rule violation that an answer implies; undefined if there is none. */
function findingOf(
  { game, picture_id: pictureId, subject_id: subjectId, version }: SettledItem,
  answer: string,
  who: string,
): Finding | undefined {
  if (subjectId === null) return undefined;
  if (game === "rating" && pictureId !== null && answer === "rule_breaking") {
    return {
      rule: "explicit",
      subjectId,
      picture: { id: pictureId, version },
      text: `The Rating Game: ${who} found this picture to break the rules.`,
    };
  }
  if (game === "buster" && answer === "bot") {
    return { rule: "bot", subjectId, text: `GPT Buster: ${who} think that a bot wrote this profile.` };
  }
  return undefined;
}
