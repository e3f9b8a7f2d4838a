import { sql } from "kysely";
import { batch, type Compiled } from "../../db/batch.ts";
import type { MemberContext } from "../../trpc.ts";
import { freezePicture, freezeProfile } from "../reports/evidence.ts";
import { openCase } from "../reports/file.ts";
import { isClear } from "./rules.ts";

/** How far a consensus is believed as a reporter. */
const CONSENSUS_CREDIBILITY = 0.8;

/**
 * What a consensus does. The Rating Game: sets or clears the community's NSFW mark, and files a report for a rule-breaking
 * picture. GPT Buster!: files a report for a text that reads like a bot's. Runs once for an item.
 */
export async function settleItem(
  ctx: MemberContext,
  itemId: number,
  consensus: { answer: string; share: number },
  votes: number,
): Promise<void> {
  const { db, now } = ctx;
  const { answer, share } = consensus;
  const settled = await db
    .updateTable("game_item")
    .set({ answer, share, ts_decided: now, ...(isClear(consensus, votes) && { known: answer }) })
    .where("id", "=", itemId)
    .where("answer", "is", null)
    .returning(["game", "picture_id", "subject_id", "version"])
    .executeTakeFirst();
  if (!settled || settled.subject_id === null) return;
  const { game, picture_id: pictureId, subject_id: subjectId, version } = settled;
  if (game === "rating" && pictureId !== null) {
    const nsfw = answer === "explicit" || answer === "rule_breaking" ? 1 : 0;
    const queries: Compiled[] = [
      sql`update picture set nsfw_community = ${nsfw}, ts_updated = ${now} where id = ${pictureId} and version = ${version}`.compile(
        db,
      ),
    ];
    await batch(ctx.d1, queries);
    if (answer === "rule_breaking") {
      await openCase(ctx, {
        subjectId,
        category: "explicit",
        source: "picture",
        sourceId: pictureId,
        text: `The Rating Game: ${votes} members, ${Math.round(share * 100)} % of their weight, found this picture to break the rules.`,
        reporterId: null,
        credibility: CONSENSUS_CREDIBILITY,
        items: [
          await freezePicture(ctx.env, { id: pictureId, profile_id: subjectId, version, nsfw: true }, now),
          await freezeProfile(db, subjectId, now),
        ],
      });
    }
  }
  if (game === "buster" && answer === "bot") {
    await openCase(ctx, {
      subjectId,
      category: "bot",
      source: "profile",
      sourceId: subjectId,
      text: `GPT Buster: ${votes} members, ${Math.round(share * 100)} % of their weight, think that a bot wrote this profile.`,
      reporterId: null,
      credibility: CONSENSUS_CREDIBILITY,
      items: [await freezeProfile(db, subjectId, now)],
    });
  }
}
