/**
 * Opens cases about uploads that look like a known picture. A scheduled job files them, so that the upload's response
 * does not reveal the match.
 */

import { type NotifyContext, scheduledContext } from "../../notifications/notify.ts";
import { openDatabase } from "../../platform/db/database.ts";
import type { KnownPictureMatchRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { type FrozenItem, freezePicture, freezeProfile } from "../evidence/freeze.ts";
import { startHold } from "../hold/start.ts";
import { caseIdOf, type NewCase, openCase } from "../report/open-case.ts";

const CASES_PER_RUN_MAX = 50;
const HOLD_REASON = "A picture looks like one that a list names.";

/** Scheduled: opens a staff case for every match without one, and a legal hold for matches with a hash list. */
export async function openMatchedCases(env: Env, now: number): Promise<void> {
  const matches = await openDatabase(env.DB)
    .selectFrom("known_picture_match")
    .selectAll()
    .where("report_id", "is", null)
    .orderBy("id")
    .limit(CASES_PER_RUN_MAX)
    .execute();
  await forEachDue(matches, (match) => openMatchedCase(scheduledContext(env, match.brand, now), match));
}

async function openMatchedCase(ctx: NotifyContext, match: KnownPictureMatchRow): Promise<void> {
  const { db, now } = ctx;
  const { profile_id: subjectId, picture_id: sourceId, rule, source } = match;
  const profile = await freezeProfile(db, subjectId, now);
  const newCase: NewCase = {
    subjectId,
    category: rule,
    source: "picture",
    sourceId,
    text: describe(match),
    filer: "clock",
    credibility: 1,
    items: [await freezeMatched(ctx, match), profile],
  };
  const { id: reportId } = await openCase(ctx, newCase, (caseRef) => ({
    queries: [
      db
        .updateTable("known_picture_match")
        .set({ report_id: caseIdOf(db, caseRef) })
        .where("id", "=", match.id),
    ],
  }));
  if (source.startsWith("list:")) await startHold(ctx, { reportId, reason: HOLD_REASON });
}

/** The complaint that staff read. */
function describe({ source, distance, picture_id, effect }: KnownPictureMatchRow): string {
  const [kind, ...rest] = source.split(":");
  const known = kind === "list" ? `a picture of the list "${rest.join(":")}"` : "a picture that was removed";
  return `Picture ${picture_id} looks like ${known}: ${distance} of 256 bits differ. ${EFFECTS[effect]} It may be another picture: if you dismiss this, the same file of this member is never reported again.`;
}

const EFFECTS = {
  refused: "Its upload was refused until you decide, which its owner knows: nobody sees it.",
  held: "It is held: its owner sees it, nobody else does.",
  none: "It is still visible: hide it if it is the same.",
} as const;

/** Freezes the picture as uploaded, even if its owner has deleted or replaced it since. */
async function freezeMatched({ db, env, now }: NotifyContext, match: KnownPictureMatchRow): Promise<FrozenItem> {
  const { profile_id, picture_id, r2_key, ts_created } = match;
  const source = { authorId: profile_id, sourceId: picture_id, version: r2_key ?? "" };
  const common = { kind: "picture", ...source, staffOnly: true } as const;
  if (r2_key !== null) {
    return { ...common, body: { text: "", nsfw: true }, tsSource: ts_created, r2Key: r2_key };
  }
  const picture = await db
    .selectFrom("picture")
    .select(["id", "profile_id", "version", "audience"])
    .where("id", "=", picture_id)
    .executeTakeFirst();
  if (!picture) return { ...common, body: { text: "", nsfw: true }, tsSource: ts_created, r2Key: null };
  return freezePicture(env, { ...picture, nsfw: true }, now, true);
}
