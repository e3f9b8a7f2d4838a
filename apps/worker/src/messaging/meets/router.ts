/** Calls about plans. Only creating one requires a session; all others require a token, and respond alike to everybody. */
import { HOUR_MS, MEET_WRONG_CALLS_PER_NETWORK_MAX, MEET_WRONG_CALLS_PER_SITE_MAX } from "@lambda/contract/limits";
import {
  CreateMeetRequest,
  FriendMeetRequest,
  FriendMeetResponse,
  FriendSubscribeRequest,
  MeetAnswerRequest,
  MeetAnswerResponse,
  MeetContext,
  MeetPositionRequest,
  MeetStatus,
  OwnMeetRequest,
} from "@lambda/contract/meets";
import { placeOf } from "../../accounts/age/place.ts";
import { requireReachable } from "../../notifications/push/endpoints.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { sha256 } from "../../platform/hash.ts";
import { mac } from "../../platform/keys.ts";
import type { MeetResult } from "../../platform/objects.ts";
import { limitNetwork, spendQuota } from "../../platform/rate-limits/limit.ts";
import { memberProcedure, openCommand, openProcedure, router } from "../../platform/trpc.ts";
import { friendOrigin } from "./friend-page.ts";
import { encryptMaker } from "./maker.ts";
import { hashPlanToken } from "./plan.ts";

/** Of the calls by which the maker's device keeps a running plan, with its token alone. */
const OWN_PLAN = { worksUnopened: true, status: 200, keepsSafe: true } as const;

export const meetsRouter = router({
  place: memberProcedure("GET /meet-place", "Where a plan's link leads, and the country")
    .output(MeetContext)
    .query(({ ctx }) => {
      const neutral = friendOrigin(ctx.env);
      const { country } = placeOf(ctx);
      return {
        country: country ?? null,
        origin: neutral ?? new URL(ctx.request.url).origin,
        isNeutral: neutral !== undefined,
      };
    }),

  create: memberProcedure("POST /meet", "Leave an encrypted plan", { status: 201, keepsSafe: true })
    .input(CreateMeetRequest)
    .output(MeetStatus)
    .mutation(async ({ ctx, input }) => {
      const { id, ...plan } = input;
      const owner = await hashPlanToken(plan.owner);
      if (!owner.startsWith(id)) throw new AppError("BAD_INPUT", { field: "id", message: "id: is not the owner's" });
      await spendQuota(ctx, "meets", ctx.viewer.profileId, { meets: 1 });
      const maker = encryptMaker(ctx.env, { profileId: ctx.viewer.profileId, brand: ctx.brand.id });
      const made = await (await objectOf(ctx, id)).create({ ...plan, owner, maker }, ctx.now);
      if (made === "taken") throw new AppError("CONFLICT", { field: "id" });
      return made;
    }),

  status: openProcedure("POST /meet/status", "The status of one's plan", OWN_PLAN)
    .input(OwnMeetRequest)
    .output(MeetStatus)
    .mutation(async ({ ctx, input }) => {
      const answer = await (await objectOf(ctx, input.id)).status(input.owner, ctx.now);
      return requireFound(ctx, answer);
    }),

  addPosition: openCommand("POST /meet/position", "Leave an encrypted position with one's plan", OWN_PLAN)
    .input(MeetPositionRequest)
    .mutation(async ({ ctx, input }) => {
      const answer = await (await objectOf(ctx, input.id)).addPosition(input.owner, input.position, ctx.now);
      await requireFound(ctx, answer);
    }),

  answer: openProcedure("POST /meet/answer", "Answer by a PIN that one is fine, or needs longer", OWN_PLAN)
    .input(MeetAnswerRequest)
    .output(MeetAnswerResponse)
    .mutation(async ({ ctx, input: { id, act, ...tokens } }) => {
      const answer = await (await objectOf(ctx, id)).answer(tokens, act, callerOf(ctx, id), ctx.now);
      return requireFound(ctx, answer);
    }),

  read: openProcedure("POST /meet/read", "What a plan's link may show now", { worksUnopened: true, status: 200 })
    .input(FriendMeetRequest)
    .output(FriendMeetResponse)
    .mutation(async ({ ctx, input }) => {
      const answer = await (await objectOf(ctx, input.id)).read(input.reader, callerOf(ctx, input.id), ctx.now);
      if (answer === "busy") throw busyError();
      if (answer === "gone") await limitWrongCalls(ctx);
      return {
        answer: answer === "gone" ? { state: "over" as const, now: ctx.now } : answer,
        country: placeOf(ctx).country ?? null,
      };
    }),

  subscribe: openCommand("POST /meet/subscribe", "Subscribe this device to a plan's alarm", {
    worksUnopened: true,
    status: 200,
  })
    .input(FriendSubscribeRequest)
    .mutation(async ({ ctx, input: { id, reader, device } }) => {
      await requireReachable(device);
      const answer = await (await objectOf(ctx, id)).subscribe(reader, device, callerOf(ctx, id), ctx.now);
      await requireFound(ctx, answer);
    }),
});

/** The object's name is a hash, so that a list of the objects does not reveal links. */
async function objectOf({ env }: Pick<Context, "env">, id: string) {
  return env.SAFE_MEET.getByName(await sha256(`safe-meet:${id}`));
}

/** Names the caller's network for the budgets of one plan, and is of no use elsewhere. */
function callerOf({ env, ip, site }: Pick<Context, "env" | "ip" | "site">, id: string): string {
  return mac(env, "safe-meet-caller", `${id} ${site ?? ip}`)
    .toString("base64url")
    .slice(0, CALLER_CHARS);
}

const CALLER_CHARS = 12;

/** Only calls that prove nothing are counted: others have the plan's own limits, and a neighbor on the network must not use those up. */
function limitWrongCalls(ctx: Pick<Context, "env" | "ip" | "site">): Promise<void> {
  const max = { network: MEET_WRONG_CALLS_PER_NETWORK_MAX, site: MEET_WRONG_CALLS_PER_SITE_MAX };
  return limitNetwork(ctx, "safe-meet", max, HOUR_MS);
}

const busyError = () => new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: 60 });

/** Throws the same NOT_FOUND for a plan that ended, one that never existed and a wrong token. */
async function requireFound<Value>(
  ctx: Pick<Context, "env" | "ip" | "site">,
  answer: MeetResult<Value>,
): Promise<Value> {
  if (answer === "busy") throw busyError();
  if (answer !== "gone") return answer as Value;
  await limitWrongCalls(ctx);
  throw new AppError("NOT_FOUND");
}
