/** Checks that players did not decide: too few judges, or three refusals. Staff compare the same stills, which then are deleted. */
import { CHECK_STILLS } from "@lambda/contract/limits";
import { type CheckAnswer, type PersonCheckCase, PersonCheckPose } from "@lambda/contract/person-check";
import { isCompared } from "../../games/person-check/compared.ts";
import { announceVerdict, verdictQuery } from "../../games/person-check/verdict.ts";
import { getVariant } from "../../pictures/store.ts";
import { AppError, notFound } from "../../platform/errors.ts";
import { toIso } from "../../platform/iso-time.ts";
import { byteRoute, idIn, privatePicture, sendBytes } from "../../platform/rest/byte-routes.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { staffEvent, withAudit } from "../audit/log.ts";
import { judgedHere } from "./scope.ts";

const CHECKS_SHOWN_MAX = 50;

function waiting(ctx: MemberContext) {
  return ctx.db
    .selectFrom("person_check as k")
    .innerJoin("account as a", "a.id", "k.profile_id")
    .where("k.state", "=", "staff")
    .where(judgedHere(ctx));
}

const parse = (list: string) => JSON.parse(list) as (string | number)[];

/** Members of the longest standing first, so that a flood of new accounts hides nobody. */
export async function listPersonChecks(ctx: MemberContext): Promise<PersonCheckCase[]> {
  const rows = await waiting(ctx)
    .select(["k.profile_id", "k.pose", "k.refusals", "k.compared", "k.ts_started"])
    .orderBy("a.ts_created")
    .limit(CHECKS_SHOWN_MAX)
    .execute();
  return rows.map(({ profile_id, pose, refusals, compared, ts_started }) => ({
    profileId: profile_id,
    pose: PersonCheckPose.parse(JSON.parse(pose)),
    refusals,
    pictures: parse(compared).length,
    tsWaiting: toIso(ts_started),
  }));
}

/** Throws NOT_FOUND unless the check waits for staff in the admin's scope. */
export async function decidePersonCheck(ctx: MemberContext, profileId: number, answer: CheckAnswer): Promise<void> {
  await waiting(ctx).select("k.profile_id").where("k.profile_id", "=", profileId).executeTakeFirstOrThrow(notFound);
  const event = staffEvent(ctx, "staff.person_checked", { subjectId: profileId, privateDetails: { answer } });
  const [[decided]] = (await withAudit(ctx, [verdictQuery(ctx, profileId, answer, "staff")], [event])) as [
    { state: string; ts_checked: number | null }[],
  ];
  if (decided) await announceVerdict(ctx, profileId, decided, "staff");
}

/** A still, or one of the public pictures after them. Each still is logged, since they can be fetched in any order. */
async function sendCasePicture(ctx: MemberContext, profileId: number, index: number): Promise<Response> {
  const check = await waiting(ctx)
    .select(["k.stills", "k.compared"])
    .where("k.profile_id", "=", profileId)
    .executeTakeFirst();
  const listed = check && [...parse(check.stills), ...parse(check.compared)][index];
  if (listed === undefined) throw new AppError("NOT_FOUND");
  const picture = await waiting(ctx)
    .innerJoin("picture as pic", "pic.profile_id", "k.profile_id")
    .select(["pic.id", "pic.version", "pic.profile_id", "pic.audience"])
    .where("k.profile_id", "=", profileId)
    .where("pic.id", "=", Number.parseInt(String(listed), 10))
    .where(isCompared())
    .executeTakeFirst();
  const body = picture && (await getVariant(ctx.env, picture, WIDTH));
  if (!body) throw new AppError("NOT_FOUND");
  // Before the bytes, so that staff are accountable for what they look at.
  if (index < CHECK_STILLS)
    await withAudit(ctx, [], [staffEvent(ctx, "staff.stills_viewed", { subjectId: profileId })]);
  return sendBytes(body as BodyInit);
}
const WIDTH = 1024;

export const PERSON_CHECK_STAFF_ROUTES = [
  byteRoute(
    "admin",
    "GET /admin/person-check/{profileId}/{index}",
    privatePicture("A picture of a check that waits for staff"),
    (ctx, c) => {
      const index = Number(c.req.param("index"));
      if (!Number.isSafeInteger(index) || index < 0) throw new AppError("NOT_FOUND");
      return sendCasePicture(ctx, idIn(c, "profileId"), index);
    },
  ),
];
