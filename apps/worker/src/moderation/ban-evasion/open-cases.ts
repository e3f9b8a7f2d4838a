/**
 * Opens cases about new accounts that may belong to a banned member: registration matches the device, and pictures are
 * matched here. Staff review each case; no match has consequences by itself.
 */
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import { scheduledContext } from "../../notifications/notify.ts";
import { deleteChunk } from "../../platform/db/chunked-jobs.ts";
import { type Database, openDatabase, rowsOf } from "../../platform/db/database.ts";
import type { BanMatchRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import {
  HASH_DISTANCE_MAX,
  HASH_QUALITY_MIN,
  hashWords,
  wordsDistance,
} from "../../platform/images/perceptual-hash.ts";
import { openPrint, printsAgree } from "../../platform/images/picture-print.ts";
import { decryptPictureHash } from "../../visibility/bans/marks.ts";
import { freezePicture, freezeProfile } from "../evidence/freeze.ts";
import { isSettled } from "../evidence/settled.ts";
import { caseIdOf, type NewCase, openCase } from "../report/open-case.ts";

const CASES_PER_RUN_MAX = 50;
/** Uploads compared with the pictures of banned members in one run. */
const PICTURES_PER_RUN_MAX = 1_000;

/** Scheduled: matches new pictures and opens a case for every match that has none. */
export async function openBanEvasionCases(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  await matchPictures(env, db, now);
  const matches = await db
    .selectFrom("ban_match")
    .selectAll()
    .where("report_id", "is", null)
    .orderBy("id")
    .limit(CASES_PER_RUN_MAX)
    .execute();
  await forEachDue(matches, (match) => openBanEvasionCase(env, match, now));
}

async function openBanEvasionCase(env: Env, match: BanMatchRow, now: number): Promise<void> {
  const ctx = scheduledContext(env, match.brand, now);
  const { profile_id: subjectId, picture_id } = match;
  const profile = await freezeProfile(ctx.db, subjectId, now);
  const picture = await ctx.db
    .selectFrom("picture")
    .select(["id", "profile_id", "version"])
    .where("id", "=", picture_id)
    .executeTakeFirst();
  const frozenPicture = picture && (await freezePicture(env, { ...picture, nsfw: true }, now, true));
  const newCase: NewCase = {
    subjectId,
    category: match.rule as Rule,
    source: picture ? "picture" : "profile",
    sourceId: picture?.id ?? subjectId,
    text: describe(match),
    filer: "clock",
    credibility: 0.5,
    items: frozenPicture ? [frozenPicture, profile] : [profile],
  };
  await openCase(ctx, newCase, (caseRef) => ({
    queries: [
      ctx.db
        .updateTable("ban_match")
        .set({ report_id: caseIdOf(ctx.db, caseRef) })
        .where("id", "=", match.id),
    ],
  }));
}

/** The complaint that staff read. It names the case of the ban, so that they can compare. */
function describe({ kind, case_ref, picture_id, distance }: BanMatchRow): string {
  const finding =
    kind === "device"
      ? "This account was opened on a device on which the banned account of"
      : `Picture ${picture_id} of this account looks (${distance} of 256 bits differ) like a public one of the banned account of`;
  return `${finding} case ${case_ref} was used. It may be somebody else: look before you act.`;
}

/** Compares new uploads with the pictures of bans that are older than the uploader's account. */
async function matchPictures(env: Env, db: Database, now: number): Promise<void> {
  const uploads = await db
    .selectFrom("picture_hash as h")
    .innerJoin("picture as pic", "pic.id", "h.picture_id")
    .innerJoin("account as a", "a.id", "pic.profile_id")
    .select(["h.picture_id", "h.hash", "h.quality", "h.sealed_print", "pic.profile_id", "pic.audience"])
    .select(["a.ts_created", "a.home_brand"])
    .where("h.compared", "=", sql.lit(0))
    .orderBy("h.picture_id")
    .limit(PICTURES_PER_RUN_MAX)
    .execute();
  if (uploads.length === 0) return;
  const bans = await listPictureMarks(env, db, now);
  for (const upload of uploads) {
    if (upload.audience === "chat" || upload.audience === "once" || upload.quality < HASH_QUALITY_MIN) continue;
    const words = hashWords(upload.hash);
    const ban = bans.find(
      (mark) =>
        mark.ts_created < upload.ts_created &&
        wordsDistance(mark.words, words) <= HASH_DISTANCE_MAX &&
        printsAgree(mark.print, openPrint(env, upload.sealed_print)) !== false,
    );
    if (!ban) continue;
    const { profile_id, picture_id, home_brand: brand } = upload;
    const { case_ref, rule } = ban;
    const distance = wordsDistance(ban.words, words);
    // One match for each account and ban, so that five matching pictures open one case.
    await db
      .insertInto("ban_match")
      .values({ profile_id, picture_id, kind: "picture", case_ref, rule, brand, distance, ts_created: now })
      .onConflict((conflict) => conflict.columns(["profile_id", "case_ref", "kind"]).doNothing())
      .execute();
  }
  const compared = uploads.map(({ picture_id, hash }) => ({ picture_id, hash }));
  await db
    .updateTable("picture_hash")
    .set({ compared: 1 })
    // One that was replaced meanwhile has not been compared.
    .where(
      sql<boolean>`(picture_id, hash) in ${db
        .selectFrom(
          rowsOf<(typeof compared)[number], "picture_id" | "hash", "c">(compared, ["picture_id", "hash"], "c"),
        )
        .select(["c.picture_id", "c.hash"])}`,
    )
    .execute();
}

async function listPictureMarks(env: Env, db: Database, now: number) {
  const rows = await db
    .selectFrom("ban_mark")
    .selectAll()
    .where("kind", "=", sql.lit("picture"))
    .where("ts_until", ">", now)
    .execute();
  const decrypted = await Promise.all(
    rows.map(async (row) => ({ row, hash: await decryptPictureHash(env, row.mark) })),
  );
  return decrypted.flatMap(({ row, hash }) =>
    hash === undefined ? [] : [{ ...row, words: hashWords(hash), print: openPrint(env, row.sealed_print) }],
  );
}

/**
 * Scheduled: deletes automatic matches once the case they opened can no longer be appealed. Returns whether more
 * are left.
 */
export async function deleteSettledMatches(db: Database, now: number, limit: number): Promise<boolean> {
  const pictures = db.selectFrom("known_picture_match as m").select("m.id").where("m.report_id", "is not", null);
  const bans = db.selectFrom("ban_match as m").select("m.id").where("m.report_id", "is not", null);
  // Each match's own case is looked up: settled cases are kept and grow for years.
  const settled = db
    .selectFrom("report as r")
    .select("r.id")
    .whereRef("r.id", "=", sql.ref("m.report_id"))
    .where(isSettled(now));
  const settledOnly = <Matches extends typeof pictures | typeof bans>(matches: Matches) =>
    (matches as typeof bans).where(({ exists }) => exists(settled)).limit(limit);
  const isMore = await deleteChunk(
    db.deleteFrom("known_picture_match").where("id", "in", settledOnly(pictures)),
    limit,
  );
  return (await deleteChunk(db.deleteFrom("ban_match").where("id", "in", settledOnly(bans)), limit)) || isMore;
}
