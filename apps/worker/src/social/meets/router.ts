/** Calls about plans. Only making one asks who it is; all others ask for a token, and are answered alike whoever sends them. */
import { HOUR_MS, MEET_CALLS_PER_NETWORK_MAX, MEET_CALLS_PER_SITE_MAX } from "@lambda/contract/limits";
import {
  CreateMeetRequest,
  FriendMeet,
  FriendMeetRequest,
  FriendSubscribeRequest,
  MeetAnswerRequest,
  MeetAnswerResponse,
  MeetPlace,
  MeetPositionRequest,
  MeetStatus,
  OwnMeetRequest,
} from "@lambda/contract/meets";
import { Nothing } from "@lambda/contract/primitives";
import { placeOf } from "../../members/age/place.ts";
import { isPushService } from "../../members/push/endpoints.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { sha256 } from "../../platform/hash.ts";
import type { MeetAnswer } from "../../platform/objects.ts";
import { limitNetwork, spend } from "../../platform/rate-limits/limit.ts";
import { memberProcedure, openProcedure, router } from "../../platform/trpc.ts";
import { friendOrigin } from "./friend-page.ts";
import { sealMaker } from "./maker.ts";

export const meetsRouter = router({
  place: memberProcedure
    .meta({ rest: { method: "GET", path: "/meet-place", summary: "Where a plan's link leads, and the country" } })
    .output(MeetPlace)
    .query(({ ctx }) => {
      const neutral = friendOrigin(ctx.env);
      const { country } = placeOf(ctx);
      return {
        country: country ?? null,
        origin: neutral ?? new URL(ctx.request.url).origin,
        isNeutral: neutral !== undefined,
      };
    }),

  create: memberProcedure
    .meta({ rest: { method: "POST", path: "/meet", summary: "Leave an encrypted plan", status: 201 } })
    .input(CreateMeetRequest)
    .output(MeetStatus)
    .mutation(async ({ ctx, input }) => {
      await spend(ctx, "meets", ctx.viewer.profileId, { meets: 1 });
      const { id, ...plan } = input;
      const maker = await sealMaker(ctx.env, { profileId: ctx.viewer.profileId, brand: ctx.brand.id });
      const made = await (await objectOf(ctx, id)).create({ ...plan, maker }, ctx.now);
      if (made === "taken") throw new AppError("CONFLICT", { field: "id" });
      return made;
    }),

  status: openProcedure
    .meta({ rest: { method: "POST", path: "/meet/status", summary: "How one's plan stands", status: 200 } })
    .input(OwnMeetRequest)
    .output(MeetStatus)
    .mutation(async ({ ctx, input }) => {
      await limitCalls(ctx);
      return found(await (await objectOf(ctx, input.id)).status(input.owner, ctx.now));
    }),

  addPosition: openProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/meet/position",
        summary: "Leave an encrypted position with one's plan",
        status: 200,
      },
    })
    .input(MeetPositionRequest)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await limitCalls(ctx);
      found(await (await objectOf(ctx, input.id)).addPosition(input.owner, input.position, ctx.now));
      return {};
    }),

  answer: openProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/meet/answer",
        summary: "Answer by a PIN that one is fine, or needs longer",
        status: 200,
      },
    })
    .input(MeetAnswerRequest)
    .output(MeetAnswerResponse)
    .mutation(async ({ ctx, input: { id, act, ...tokens } }) => {
      await limitCalls(ctx);
      if (act.type === "extend" && act.deadline <= ctx.now) {
        throw new AppError("BAD_INPUT", { field: "deadline", message: "deadline: lies in the past" });
      }
      return found(await (await objectOf(ctx, id)).answer(tokens, act, ctx.now));
    }),

  read: openProcedure
    .meta({ rest: { method: "POST", path: "/meet/read", summary: "What a plan's link may show now", status: 200 } })
    .input(FriendMeetRequest)
    .output(FriendMeet)
    .mutation(async ({ ctx, input }) => {
      await limitCalls(ctx);
      const answer = await (await objectOf(ctx, input.id)).read(input.reader, ctx.now);
      if (answer === "busy") throw busy();
      return {
        answer: answer === "gone" ? { state: "over" as const, now: ctx.now } : answer,
        country: placeOf(ctx).country ?? null,
      };
    }),

  subscribe: openProcedure
    .meta({
      rest: { method: "POST", path: "/meet/subscribe", summary: "Let a plan's link wake this device", status: 200 },
    })
    .input(FriendSubscribeRequest)
    .output(Nothing)
    .mutation(async ({ ctx, input: { id, reader, device } }) => {
      await limitCalls(ctx);
      if (!isPushService(device.endpoint)) {
        throw new AppError("BAD_INPUT", { field: "endpoint", message: "endpoint: is not a known push service" });
      }
      found(await (await objectOf(ctx, id)).subscribe(reader, device, ctx.now));
      return {};
    }),
});

/** The object's name is a hash: whoever lists the objects has no links. */
async function objectOf({ env }: Pick<Context, "env">, id: string) {
  return env.SAFE_MEET.getByName(await sha256(`safe-meet:${id}`));
}

function limitCalls(ctx: Pick<Context, "env" | "ip" | "site">): Promise<void> {
  const max = { network: MEET_CALLS_PER_NETWORK_MAX, site: MEET_CALLS_PER_SITE_MAX };
  return limitNetwork(ctx, "safe-meet", max, HOUR_MS);
}

const busy = () => new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: 60 });

/** A plan that ended, one that never was and a wrong token are one answer. */
function found<Value>(answer: MeetAnswer<Value>): Value {
  if (answer === "busy") throw busy();
  if (answer === "gone") throw new AppError("NOT_FOUND");
  return answer as Value;
}
