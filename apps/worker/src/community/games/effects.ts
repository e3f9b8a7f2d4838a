/** What follows from an answer that votes or staff gave, and what the owner is told. */
import { sql } from "kysely";
import { inEachLocale } from "../../platform/copy.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import type { GameItemTable } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { notify } from "../../social/notifications/notify.ts";
import type { CommitAnswer, Finding } from "./commit.ts";
import { gamesCopy } from "./copy.ts";
import { isConsequent } from "./rules.ts";

/** Where an owner sees what became of a picture, and can ask for another look. */
const OWN_PICTURES = "/profileEdit";

export interface SettledItem
  extends Pick<
    GameItemTable,
    "game" | "picture_id" | "subject_id" | "version" | "answer" | "ts_review_asked" | "ts_decided"
  > {
  readonly id: number;
}

/** An answer with what supports it. `staff`: an admin decided, not votes. */
export interface Settlement {
  readonly answer: string;
  readonly share: number;
  readonly votes: number;
  readonly staff?: true;
}

/**
 * Makes an answer the item's: marks or clears the picture, tells its owner, and reports what breaks a rule. All of it or
 * nothing, so the next vote settles an item whose report failed.
 */
export async function settleItem(
  ctx: MemberContext,
  commit: CommitAnswer,
  item: SettledItem,
  settlement: Settlement,
): Promise<void> {
  const { answer, share, votes, staff } = settlement;
  const nsfw = isConsequent(answer);
  const who = staff ? "staff" : `${votes} members, ${Math.round(share * 100)} % of their weight,`;
  try {
    await commit(ctx, {
      queries: settlingQueries(ctx, item, settlement, nsfw),
      finding: answer === item.answer ? undefined : findingOf(item, answer, who),
      staffAnswer: staff && {
        adminId: ctx.viewer.profileId,
        subjectId: item.subject_id,
        itemId: item.id,
        game: item.game,
        answer,
      },
    });
  } catch (error) {
    // Another vote settled it at the same moment.
    if (!failedGuard(error)) throw error;
    return;
  }
  await notifyOwner(ctx, item, nsfw);
}

function settlingQueries(
  { db, now }: MemberContext,
  item: SettledItem,
  { answer, share, staff }: Settlement,
  nsfw: boolean,
): Compiled[] {
  // Only votes after staff's answer may doubt it, or each vote would bring the item back to them.
  const by = staff
    ? ({ by_staff: 1, known: answer, staff_why: null, ts_staff: null, tally: "{}" } as const)
    : ({ by_staff: 0, known: null } as const);
  const queries: Compiled[] = [
    guardQuery(db, sql<boolean>`exists (select 1 from game_item where id = ${item.id} and answer is ${item.answer})`),
    db
      .updateTable("game_item")
      .set({ answer, share, ts_decided: now, ...by })
      .where("id", "=", item.id)
      .compile(),
  ];
  if (item.picture_id !== null) {
    const mark = nsfw ? 1 : 0;
    queries.push(
      db
        .updateTable("picture")
        .set({ nsfw_community: mark, ts_updated: now })
        .where("id", "=", item.picture_id)
        .where("version", "=", item.version)
        .where("nsfw_community", "<>", mark)
        .compile(),
    );
  }
  return queries;
}

/** Tells the owner alone, only what changed, and never who voted. */
async function notifyOwner(ctx: MemberContext, item: SettledItem, marked: boolean): Promise<void> {
  if (item.picture_id === null || item.subject_id === null) return;
  const wasMarked = item.answer !== null && isConsequent(item.answer);
  const asked = item.ts_review_asked !== null && item.ts_review_asked > (item.ts_decided ?? 0);
  const key = marked === wasMarked ? marked && asked && "markConfirmed" : marked ? "marked" : "markCleared";
  if (!key) return;
  const bodyText = inEachLocale(gamesCopy, (text) => text[key]);
  await notify(ctx, { profileId: item.subject_id, kind: "picture", bodyText, url: OWN_PICTURES });
}

/** Puts an item before staff; once, until they decided. */
export async function sendToStaff(
  { db, now }: Pick<MemberContext, "db" | "now">,
  itemId: number,
  why: NonNullable<GameItemTable["staff_why"]>,
): Promise<void> {
  await db
    .updateTable("game_item")
    .set({ staff_why: why, ts_staff: now })
    .where("id", "=", itemId)
    .where("staff_why", "is", null)
    .execute();
}

/** What an answer says against the item's subject; undefined when nothing does. */
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
