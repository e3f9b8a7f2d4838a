import {
  BusterItem,
  BusterVote,
  CootiesState,
  CreditLedger,
  CropSuggestion,
  CropSuggestionDraft,
  CropTask,
  DrawInput,
  GameReview,
  GameReviewDecision,
  HotItem,
  IdentifyResult,
  IdentifyRound,
  MarkedPicture,
  PlayerRecord,
  RatingItem,
  RatingVote,
  VoteResult,
} from "@lambda/contract/games";
import { GAME_PACK_SIZE } from "@lambda/contract/limits";
import { BooleanInput, Id } from "@lambda/contract/primitives";
import { sql } from "kysely";
import { z } from "zod";
import { adminCommand, adminList, type MemberContext, memberList, memberProcedure, router } from "../platform/trpc.ts";
import type { CommitAnswer } from "./commit.ts";
import { joinCooties, leaveCooties, readCooties, tag } from "./cooties.ts";
import { readCredits } from "./credits/ledger.ts";
import { closeSuggestion, listCropTasks, listOwnSuggestions, suggestCrop } from "./crops.ts";
import { drawWithRetry, randomPictures } from "./draw.ts";
import { answerRound, startRound } from "./identify.ts";
import { drawBusterItems, drawRatingItems } from "./items.ts";
import { readPlayerRecord } from "./record.ts";
import { decideReview, listReviews } from "./review.ts";
import { listMarkedPictures, requestReview } from "./review-request.ts";
import { castGameVote } from "./vote.ts";

/** Members read for a pack, up to three rows each if the player has rated them all. */
const MEMBERS_READ = 18;

/** Draws pictures for Hot! or Not! that the player has not rated yet. */
async function drawHotItems(ctx: MemberContext, nsfw: boolean): Promise<HotItem[]> {
  const fits = sql<boolean>`not exists (select 1 from picture_like l
    where l.liker_id = ${ctx.viewer.profileId} and l.picture_id = pic.id)`;
  const rows = await drawWithRetry({ size: MEMBERS_READ, enough: 1 }, (sample) =>
    randomPictures(ctx, sample, { nsfw, fits, limit: GAME_PACK_SIZE }).execute(),
  );
  return rows.map((row) => ({ pictureId: row.picture_id, profileId: row.owner_id, nsfw: row.nsfw === 1 }));
}

/** A draw shows what any copy of the database has, and its effect concerns the player alone. */
const DRAWN = { status: 200, mayReachRegionsLate: true, readsNearby: true } as const;

/** @param commit stores the outcome of a vote; passed in because reports belong to a higher layer */
export const createGamesRouter = (commit: CommitAnswer) =>
  router({
    record: memberProcedure("GET /games/{game}/record", "The own record in one game")
      .input(z.object({ game: z.enum(["rating", "buster", "identify", "check"]) }))
      .output(PlayerRecord)
      .query(({ ctx, input }) => readPlayerRecord(ctx, input.game)),

    credits: memberProcedure("GET /credits", "Volunteer credits and how they were earned")
      .output(CreditLedger)
      .query(({ ctx }) => readCredits(ctx)),

    /** Hot! or Not!: pictures to rate with PUT /api/profile-pic-like. */
    hotDraw: memberList("POST /games/hotornot/draw", "Pictures to like or not", HotItem, DRAWN)
      .input(DrawInput)
      .mutation(async ({ ctx, input }) => ({ items: await drawHotItems(ctx, input.nsfw) })),

    ratingDraw: memberList("POST /games/ratinggame/draw", "Pictures to classify", RatingItem, DRAWN)
      .input(DrawInput)
      .mutation(async ({ ctx, input }) => ({ items: await drawRatingItems(ctx, input.nsfw) })),

    busterDraw: memberList("POST /games/gptbuster/draw", "Texts to judge", BusterItem, DRAWN).mutation(
      async ({ ctx }) => ({ items: await drawBusterItems(ctx) }),
    ),

    ratingVote: memberProcedure("POST /games/ratinggame/vote", "Classify a drawn picture")
      .input(RatingVote)
      .output(VoteResult)
      .mutation(({ ctx, input }) => castGameVote(ctx, commit, { game: "rating", ...input })),

    busterVote: memberProcedure("POST /games/gptbuster/vote", "Person or bot")
      .input(BusterVote)
      .output(VoteResult)
      .mutation(({ ctx, input }) => castGameVote(ctx, commit, { game: "buster", ...input })),

    markedPictures: memberList(
      "GET /games/ratinggame/marked",
      "Own pictures that the community rated NSFW",
      MarkedPicture,
    ).query(async ({ ctx }) => ({ items: await listMarkedPictures(ctx) })),

    requestReview: memberProcedure("POST /games/ratinggame/marked", "Ask for another look at one of them")
      .input(z.object({ pictureId: Id }))
      .output(MarkedPicture)
      .mutation(({ ctx, input }) => requestReview(ctx, input.pictureId)),

    reviews: adminList("GET /games/reviews", "What voters could not decide, for staff", GameReview).query(
      async ({ ctx }) => ({ items: await listReviews(ctx) }),
    ),

    decideReview: adminCommand("POST /games/reviews", "Staff's answer")
      .input(GameReviewDecision)
      .mutation(({ ctx, input }) => decideReview(ctx, commit, input.itemId, input.answer)),

    identifyStart: memberProcedure("POST /games/identify/start", "A picture and three members", DRAWN)
      .input(DrawInput)
      .output(IdentifyRound)
      .mutation(({ ctx, input }) => startRound(ctx, input.nsfw)),

    identifyAnswer: memberProcedure("POST /games/identify/answer", "Who was it", { status: 200 })
      .input(z.object({ profileId: Id }))
      .output(IdentifyResult)
      .mutation(({ ctx, input }) => answerRound(ctx, input.profileId)),

    cropTasks: memberList("GET /games/photocrop", "Pictures whose owners want a better crop", CropTask)
      .input(DrawInput)
      .query(async ({ ctx, input }) => ({ items: await listCropTasks(ctx, input.nsfw) })),

    cropSuggest: memberProcedure("POST /games/photocrop/suggestion", "Suggest a crop")
      .input(CropSuggestionDraft)
      .output(CropSuggestion)
      .mutation(({ ctx, input }) => suggestCrop(ctx, input.pictureId, input)),

    cropSuggestions: memberList("GET /games/photocrop/mine", "Suggestions for the own pictures", CropSuggestion).query(
      async ({ ctx }) => ({ items: await listOwnSuggestions(ctx) }),
    ),

    cropClose: memberProcedure("PUT /games/photocrop/suggestion/{id}", "Mark a suggestion as applied or declined")
      .input(z.object({ id: Id, applied: BooleanInput }))
      .output(CropSuggestion)
      .mutation(({ ctx, input }) => closeSuggestion(ctx, input.id, input.applied)),

    cooties: memberProcedure("GET /games/cooties", "The game of tag: own state, who is near, leaders")
      .output(CootiesState)
      .query(({ ctx }) => readCooties(ctx)),

    cootiesPlay: memberProcedure("PUT /games/cooties", "Join or leave the game of tag")
      .input(z.object({ playing: BooleanInput }))
      .output(CootiesState)
      .mutation(async ({ ctx, input }) => {
        if (input.playing) await joinCooties(ctx);
        else await leaveCooties(ctx);
        return readCooties(ctx);
      }),

    cootiesTag: memberProcedure("POST /games/cooties/tag", "Pass the cooties on", { status: 200 })
      .input(z.object({ profileId: Id }))
      .output(CootiesState)
      .mutation(async ({ ctx, input }) => {
        await tag(ctx, input.profileId);
        return readCooties(ctx);
      }),
  });
