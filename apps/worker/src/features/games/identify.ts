import { ageOf } from "@lambda/contract/birthdate";
import type { IdentifyResult, IdentifyRound } from "@lambda/contract/games";
import { IDENTIFY_ANSWER_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { z } from "zod";
import { batch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import type { MemberContext } from "../../trpc.ts";
import { bookCredits } from "../credits/ledger.ts";
import { drawPictures, shuffle } from "./draw.ts";
import { readRecord } from "./vote.ts";

/** A picture and three members; which of them it is stays here. Throws NOT_FOUND while fewer than three can be drawn. */
export async function startRound(ctx: MemberContext, nsfw: boolean): Promise<IdentifyRound> {
  const { db, now, viewer } = ctx;
  const drawn = await drawPictures(ctx, { nsfw, limit: 12 });
  if (drawn.length < 3) throw new AppError("NOT_FOUND", { message: "Not enough members with pictures yet." });
  const { rows: others } = await sql<{ owner_id: number; picture_id: number }>`
    select profile_id as owner_id, min(id) as picture_id from picture
    where profile_id in (select value from json_each(${JSON.stringify(drawn.map((row) => row.owner_id))}))
      and audience = 'public' and hidden_by_staff = 0 and (${nsfw ? 1 : 0} = 1 or (nsfw_owner = 0 and nsfw_community = 0))
      and id not in (select value from json_each(${JSON.stringify(drawn.map((row) => row.picture_id))}))
    group by profile_id`.execute(db);
  const secondOf = new Map(others.map((row) => [row.owner_id, row.picture_id]));
  // Who has a second picture to be known by makes the better riddle.
  const sorted = [...drawn].sort((a, b) => Number(secondOf.has(b.owner_id)) - Number(secondOf.has(a.owner_id)));
  const chosen = sorted.slice(0, 3);
  const answer = shuffle(chosen)[0]!;
  const members = await db
    .selectFrom("profile")
    .select(["id", "profile_name", "birthdate"])
    .where(
      "id",
      "in",
      chosen.map((row) => row.owner_id),
    )
    .execute();
  // With a picture for some alone the picture would give the answer away.
  const allHaveSecond = chosen.every((row) => secondOf.has(row.owner_id));
  const options = shuffle(members).map((member) => ({
    profileId: member.id,
    name: member.profile_name,
    age: ageOf(member.birthdate, now) ?? null,
    pictureId: allHaveSecond ? (secondOf.get(member.id) ?? null) : null,
  }));
  const round = {
    answer_id: answer.owner_id,
    options: JSON.stringify(options.map((option) => option.profileId)),
    ts_created: now,
  };
  await db
    .insertInto("identify_round")
    .values({ profile_id: viewer.profileId, ...round })
    .onConflict((conflict) => conflict.column("profile_id").doUpdateSet(round))
    .execute();
  return { pictureId: answer.picture_id, options };
}

/** Answers the open round, once. Too late counts as wrong; throws NOT_FOUND without a round. */
export async function answerRound(ctx: MemberContext, profileId: number): Promise<z.output<typeof IdentifyResult>> {
  const { db, now, viewer } = ctx;
  const round = await db
    .deleteFrom("identify_round")
    .where("profile_id", "=", viewer.profileId)
    .returning(["answer_id", "options", "ts_created"])
    .executeTakeFirst();
  if (!round) throw new AppError("NOT_FOUND");
  if (!(JSON.parse(round.options) as number[]).includes(profileId)) {
    throw new AppError("BAD_INPUT", { field: "profileId" });
  }
  const right = profileId === round.answer_id && now - round.ts_created <= IDENTIFY_ANSWER_MS;
  const queries = [
    sql`insert into game_record (profile_id, game, votes, streak, best_streak, ts_last)
      values (${viewer.profileId}, 'identify', 1, ${right ? 1 : 0}, ${right ? 1 : 0}, ${now})
      on conflict (profile_id, game) do update set votes = votes + 1, ts_last = excluded.ts_last,
        streak = case when ${right ? 1 : 0} then streak + 1 else 0 end,
        best_streak = max(best_streak, case when ${right ? 1 : 0} then streak + 1 else 0 end)`.compile(db),
  ];
  if (right)
    queries.push(bookCredits(ctx, viewer.profileId, "identify", String(round.ts_created), 1) as (typeof queries)[0]);
  await batch(ctx.d1, queries);
  return { right, answerId: round.answer_id, record: await readRecord(ctx, "identify") };
}
