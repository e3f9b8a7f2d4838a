import { sql } from "kysely";
import { batch, type Compiled } from "../../db/batch.ts";
import type { MemberContext } from "../../trpc.ts";
import { failedGuard, guard } from "../moderation/guard.ts";
import { freezePicture, freezeProfile } from "../reports/evidence.ts";
import { type NewCase, openCase } from "../reports/file.ts";
import { isClear } from "./rules.ts";

/** How far a consensus is believed as a reporter. */
const CONSENSUS_CREDIBILITY = 0.8;

/**
 * What a consensus does. The Rating Game: sets or clears the community's NSFW mark, and files a report for a rule-breaking
 * picture. GPT Buster!: files a report for a text that reads like a bot's. Once for an item, and all of it or nothing: an item
 * whose report could not be filed is settled by the next vote.
 */
export async function settleItem(
  ctx: MemberContext,
  itemId: number,
  consensus: { answer: string; share: number },
  votes: number,
): Promise<void> {
  const { db, now } = ctx;
  const { answer, share } = consensus;
  const item = await db
    .selectFrom("game_item")
    .select(["game", "picture_id", "subject_id", "version"])
    .where("id", "=", itemId)
    .where("answer", "is", null)
    .executeTakeFirst();
  if (!item) return;
  const settling: Compiled[] = [
    guard(db, sql<boolean>`exists (select 1 from game_item where id = ${itemId} and answer is null)`),
    db
      .updateTable("game_item")
      .set({ answer, share, ts_decided: now, ...(isClear(consensus, votes) && { known: answer }) })
      .where("id", "=", itemId)
      .compile(),
  ];
  if (item.game === "rating" && item.picture_id !== null) {
    const nsfw = answer === "explicit" || answer === "rule_breaking" ? 1 : 0;
    settling.push(
      sql`update picture set nsfw_community = ${nsfw}, ts_updated = ${now} where id = ${item.picture_id} and version = ${item.version}`.compile(
        db,
      ),
    );
  }
  const report = await reportOf(ctx, item, answer, `${votes} members, ${Math.round(share * 100)} % of their weight,`);
  try {
    if (report) await openCase(ctx, report, settling);
    else await batch(ctx.d1, settling);
  } catch (error) {
    // Another vote settled it at the same moment.
    if (!failedGuard(error)) throw error;
  }
}

interface Item {
  readonly game: "rating" | "buster";
  readonly picture_id: number | null;
  readonly subject_id: number | null;
  readonly version: number;
}

/** What is held against the item's subject, with evidence; undefined when nothing is. */
async function reportOf(
  { db, env, now }: MemberContext,
  { game, picture_id: pictureId, subject_id: subjectId, version }: Item,
  answer: string,
  who: string,
): Promise<NewCase | undefined> {
  if (subjectId === null) return undefined;
  const byGame = { subjectId, reporterId: null, credibility: CONSENSUS_CREDIBILITY };
  if (game === "rating" && pictureId !== null && answer === "rule_breaking") {
    return {
      ...byGame,
      category: "explicit",
      source: "picture",
      sourceId: pictureId,
      text: `The Rating Game: ${who} found this picture to break the rules.`,
      items: [
        await freezePicture(env, { id: pictureId, profile_id: subjectId, version, nsfw: true }, now),
        await freezeProfile(db, subjectId, now),
      ],
    };
  }
  if (game === "buster" && answer === "bot") {
    return {
      ...byGame,
      category: "bot",
      source: "profile",
      sourceId: subjectId,
      text: `GPT Buster: ${who} think that a bot wrote this profile.`,
      items: [await freezeProfile(db, subjectId, now)],
    };
  }
  return undefined;
}
