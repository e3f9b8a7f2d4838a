/** A judge of "Is it him?" reports what they were shown, without learning of whom. */

import { CHECK_TAKEN_OUT_EACH_MS, DAY_MS, REPORTS_PER_DAY_MAX } from "@lambda/contract/limits";
import type { CheckReport } from "@lambda/contract/reports";
import { sql } from "kysely";
import type { z } from "zod";
import { consumeItemQuery, findPackItem, itemPath } from "../../games/pack.ts";
import { isCompared } from "../../games/person-check/compared.ts";
import { sendToStaff } from "../../games/person-check/panel.ts";
import { WEIGHT_MIN } from "../../games/person-check/play.ts";
import { parseRecord, playerQuery, recordOf } from "../../games/record.ts";
import { weightOf } from "../../games/rules.ts";
import { onBrand } from "../../platform/context.ts";
import { batch, guardQuery, passesGuards } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { isWithinLimit, spendLimit } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { freezePicture, freezeProfile } from "../evidence/freeze.ts";
import { fileReport, spendReportBytes } from "./file-report.ts";
import { openCase } from "./open-case.ts";
import { readCredibility } from "./reporter.ts";

type Report = z.output<typeof CheckReport>;

/**
 * Files a report about an item of which the player has read a picture, which then is answered. Throws NOT_FOUND for any other, and
 * TOO_MANY_REQUESTS as any report does. The response does not tell a check from an exercise.
 */
export async function fileCheckReport(ctx: MemberContext, report: Report): Promise<void> {
  const item = await findPackItem(ctx, "check", report.itemId);
  if (!item?.pairs || !item.reads) throw new AppError("NOT_FOUND");
  const ids = [...new Set(item.pairs.flat())];
  if (item.checked !== undefined) return reportChecked(ctx, item.checked, item.version, ids, report);
  for (const [subjectId, [first, ...others]] of await listByOwner(ctx, ids))
    await fileReport(ctx, {
      ...report,
      subjectProfileId: subjectId,
      source: "picture",
      sourceId: first!.id,
      pictureIds: others.map(({ id }) => id),
      messageIds: [],
    });
  await batch(ctx.d1, [consumeItemQuery(ctx, "check", report.itemId)]);
}

async function listByOwner({ db }: MemberContext, ids: readonly number[]) {
  const pictures = await db.selectFrom("picture").select(["id", "profile_id"]).where("id", "in", ids).execute();
  return Map.groupBy(pictures, ({ profile_id }) => profile_id);
}

/**
 * Opens a case for the staff of the member's own brand, with copies of the stills, which the member could end. It names no reporter: by a
 * second report of a member whom the judge suspects, the answer would tell that it is the same.
 */
async function reportChecked(
  ctx: MemberContext,
  checked: number,
  version: number,
  ids: readonly number[],
  { itemId, category, text }: Report,
): Promise<void> {
  const { db, env, viewer, now } = ctx;
  await spendLimit(ctx, `report:${viewer.profileId}`, REPORTS_PER_DAY_MAX, DAY_MS);
  const pictures = await db
    .selectFrom("person_check as k")
    .innerJoin("picture as pic", "pic.profile_id", "k.profile_id")
    .select(["pic.id", "pic.profile_id", "pic.version", "pic.audience"])
    .where("k.profile_id", "=", checked)
    .where("k.ts_started", "=", version)
    .where("pic.id", "in", ids)
    .where(isCompared())
    .execute();
  // The check was decided and another one began.
  if (pictures.length === 0) throw new AppError("NOT_FOUND");
  const frozen = pictures.map((picture) => freezePicture(env, { ...picture, nsfw: false }, now, true));
  const items = [await freezeProfile(db, checked, now), ...(await Promise.all(frozen))];
  await spendReportBytes(ctx, items, text);
  const [credibility, home, isTakenOut] = await Promise.all([
    readCredibility(ctx),
    db.selectFrom("account").select("home_brand").where("id", "=", checked).executeTakeFirstOrThrow(),
    takesOut(ctx, checked, version),
  ]);
  const about = { subjectId: checked, category, source: "picture", sourceId: pictures[0]!.id } as const;
  const isOpen = sql<boolean>`exists (select 1 from game_pack where profile_id = ${viewer.profileId} and game = 'check'
    and items -> ${itemPath(itemId)} is not null)`;
  const queries = [guardQuery(db, isOpen), consumeItemQuery(ctx, "check", itemId)];
  const filed = { ...about, text, filer: "member", credibility, items } as const;
  if (!(await passesGuards(openCase(onBrand(ctx, home.home_brand), filed, () => ({ queries })))))
    throw new AppError("NOT_FOUND");
  if (isTakenOut) await sendToStaff(ctx, checked);
}

/** Whether the check leaves the judges' hands at once: the judge's answer would count, and it is their first such report for a while. */
async function takesOut(ctx: MemberContext, checked: number, version: number): Promise<boolean> {
  const { db, env, viewer, now } = ctx;
  const [seat, [player]] = await Promise.all([
    db
      .selectFrom("person_check_seat as s")
      .innerJoin("person_check as k", "k.profile_id", "s.profile_id")
      .select("s.judge_id")
      .where("s.profile_id", "=", checked)
      .where("s.judge_id", "=", viewer.profileId)
      .where("k.ts_started", "=", version)
      .where("k.state", "=", "judging")
      .executeTakeFirst(),
    playerQuery(ctx, "check").execute(),
  ]);
  if (!seat || !player || weightOf(parseRecord(recordOf(player)), now - player.ts_joined) < WEIGHT_MIN) return false;
  return isWithinLimit(env, `check-report:${viewer.profileId}`, 1, CHECK_TAKEN_OUT_EACH_MS);
}
