import { ageOf } from "@lambda/contract/birthdate";
import type { IdentifyResult, IdentifyRound } from "@lambda/contract/games";
import { IDENTIFY_ANSWER_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { z } from "zod";
import { batch, type Query } from "../platform/db/database.ts";
import type { ProfileTable } from "../platform/db/tables.ts";
import { AppError } from "../platform/errors.ts";
import { shuffle } from "../platform/shuffle.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { awardCreditsQuery } from "./credits/ledger.ts";
import { drawWithRetry, isShowable, pictureOfSample } from "./draw.ts";
import { type PlayerRow, playerQuery, toRecord } from "./record.ts";
import { randomMembers, type Sample } from "./statements/draws.ts";

const OPTIONS = 3;
/** Members with two pictures read for a round. Some cannot be shown: with five, one round in some hundred needed a second draw. */
const MEMBERS_READ = 7;

/** Random visible members with one picture to identify and a second one to compare. */
function drawMembers(ctx: MemberContext, nsfw: boolean, sample: Sample) {
  const columns = sql`p.profile_name, p.birthdate, p.pics_public`;
  return ctx.db
    .selectFrom(randomMembers<Pick<ProfileTable, "profile_name" | "birthdate">>(ctx, "recognizable", columns, sample))
    .crossJoin("picture as pic")
    .crossJoin("picture as other")
    .select(["m.id as owner_id", "pic.id as picture_id", "other.id as second_id", "m.profile_name", "m.birthdate"])
    .where("pic.id", "=", pictureOfSample(sample.pictureSeed))
    .where("other.id", "=", pictureOfSample(sample.pictureSeed + 1))
    .whereRef("other.id", "<>", "pic.id")
    .where(isShowable(ctx, nsfw))
    .where(isShowable(ctx, nsfw, "other"))
    .execute();
}

/**
 * Starts a round with a picture and three members, each with a second picture to compare; the answer stays on the server. Throws NOT_FOUND if
 * fewer than three members can be drawn.
 */
export async function startRound(ctx: MemberContext, nsfw: boolean): Promise<IdentifyRound> {
  const { db, now, viewer } = ctx;
  const drawn = await drawWithRetry({ size: MEMBERS_READ, enough: OPTIONS }, (sample) =>
    drawMembers(ctx, nsfw, sample),
  );
  if (drawn.length < OPTIONS) throw new AppError("NOT_FOUND", { message: "Not enough members with two pictures yet." });
  const chosen = drawn.slice(0, OPTIONS);
  const solution = shuffle(chosen)[0]!;
  const options = shuffle(chosen).map((row) => ({
    profileId: row.owner_id,
    name: row.profile_name,
    age: ageOf(row.birthdate, now) ?? null,
    pictureId: row.second_id,
  }));
  const round = {
    answer_id: solution.owner_id,
    picture_id: solution.picture_id,
    options: JSON.stringify(options.map((option) => option.profileId)),
    ts_created: now,
  };
  await db
    .insertInto("identify_round")
    .values({ profile_id: viewer.profileId, ...round })
    .onConflict((conflict) => conflict.column("profile_id").doUpdateSet(round))
    .execute();
  return { round: now, options };
}

export async function findRoundPicture(ctx: MemberContext, round: number): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom("identify_round")
    .select("picture_id")
    .where("profile_id", "=", ctx.viewer.profileId)
    .where("ts_created", "=", round)
    .executeTakeFirst();
  return row?.picture_id;
}

/** Answers the open round, once; a late answer is wrong. Throws NOT_FOUND without a round, BAD_INPUT for a member who is not an option. */
export async function answerRound(ctx: MemberContext, profileId: number): Promise<z.output<typeof IdentifyResult>> {
  const { db, now, viewer } = ctx;
  const round = await db
    .deleteFrom("identify_round")
    .where("profile_id", "=", viewer.profileId)
    .where(sql<boolean>`exists (select 1 from json_each(options) o where o.value = ${profileId})`)
    .returning(["answer_id", "ts_created"])
    .executeTakeFirst();
  if (!round) {
    // The member is not an option: the round stays open.
    const openRound = db.selectFrom("identify_round").select("ts_created").where("profile_id", "=", viewer.profileId);
    if (await openRound.executeTakeFirst()) throw new AppError("BAD_INPUT", { field: "profileId" });
    throw new AppError("NOT_FOUND");
  }
  const isRight = profileId === round.answer_id && now - round.ts_created <= IDENTIFY_ANSWER_MS;
  const firstStreak = isRight ? 1 : 0;
  const queries: Query[] = [
    db
      .insertInto("game_record")
      .values({
        profile_id: viewer.profileId,
        game: "identify",
        votes: 1,
        streak: firstStreak,
        best_streak: firstStreak,
        ts_last: now,
      })
      .onConflict((conflict) =>
        conflict.columns(["profile_id", "game"]).doUpdateSet({
          votes: sql<number>`votes + 1`,
          ts_last: now,
          streak: isRight ? sql<number>`streak + 1` : 0,
          best_streak: isRight ? sql<number>`max(best_streak, streak + 1)` : sql<number>`best_streak`,
        }),
      ),
  ];
  if (isRight) queries.push(awardCreditsQuery(ctx, viewer.profileId, "identify", String(round.ts_created), 1));
  queries.push(playerQuery(ctx, "identify"));
  const results = await batch(ctx.d1, queries);
  const record = toRecord(ctx, results.at(-1)?.[0] as PlayerRow | undefined);
  return { right: isRight, answerId: round.answer_id, record };
}
