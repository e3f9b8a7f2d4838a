/** The state machine of a plan, without storage or network. A plan runs, reminds its maker, and ends by a PIN or is raised. */
import {
  MEET_CHECK_IN_MS,
  MEET_LINK_TRIES_MAX,
  MEET_MAX_MS,
  MEET_RETENTION_MS,
  MEET_TRIES_MAX,
} from "@lambda/contract/limits";
import type { MeetAnswerResponse, MeetStatus, PinAction } from "@lambda/contract/meets";
import type { NewMeet } from "../../platform/objects.ts";

/** The server stores only hashes of tokens, so that stored data authorizes nothing. SHA-256 as base64url, like on the maker's device. */
export async function hashPlanToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return Buffer.from(digest).toString("base64url");
}

export interface Plan extends Omit<NewMeet, "runsMs"> {
  readonly created: number;
  /** The deadline that the maker sees. After the second PIN the alarm no longer depends on it. */
  readonly deadline: number;
  readonly asks: number;
  /** Number of wrong PINs of each caller since its last right one. Absent in plans from before callers were told apart. */
  readonly wrongPins?: Readonly<Record<string, number>>;
  /** Whether the maker ended the plan by the second PIN. On their device it looks as if it were gone. */
  readonly looksEnded?: true;
  readonly raised?: { readonly at: number; readonly reason: "silence" | "pin" };
  readonly safeAt?: number;
}

/** What the maker sees, but for the devices, which are stored by themselves. */
type PlanStatus = Omit<MeetStatus, "phones">;

export interface PlanChange {
  /** Undefined when nothing is left to store. */
  readonly plan: Plan | undefined;
  /** Whether the maker has to be reminded now. */
  readonly isReminderDue: boolean;
  /** Whether this step raised the alarm. */
  readonly raisesAlarm: boolean;
}

export function newPlan({ runsMs, ...rest }: NewMeet, now: number): Plan {
  return { ...rest, created: now, deadline: now + runsMs, asks: 0 };
}

/** Whether the plan was made by this very call: everything in it is random, or encrypted with a random key. */
export function isSamePlan(plan: Plan, draft: NewMeet): boolean {
  return (["reader", "owner", "fine", "help", "plan"] as const).every((field) => plan[field] === draft[field]);
}

export const alarmAt = (plan: Plan) => plan.deadline + plan.graceMs;
const latestDeadline = (plan: Plan) => plan.created + MEET_MAX_MS;
export const erasedAt = (plan: Plan) => (plan.raised?.at ?? alarmAt(plan)) + MEET_RETENTION_MS;

/** When the maker is reminded: shortly before the deadline, and at the deadline. */
function reminderTimes({ created, deadline }: Plan): readonly number[] {
  return [deadline - Math.min(MEET_CHECK_IN_MS, (deadline - created) / 2), deadline];
}

/** Whether the maker still gets reminders. Extending by the second PIN does not stop them, as an onlooker would notice. */
export const isMakerReminded = ({ looksEnded, safeAt }: Plan) => !looksEnded && safeAt === undefined;

/** Advances a plan to this moment. Idempotent. */
export function advancePlan(plan: Plan, now: number): PlanChange {
  if (now >= erasedAt(plan)) return { plan: undefined, isReminderDue: false, raisesAlarm: false };
  const past = reminderTimes(plan).filter((time) => time <= now).length;
  const isReminderDue = isMakerReminded(plan) && past > plan.asks;
  const reminded = isReminderDue ? { ...plan, asks: past } : plan;
  if (plan.raised || now < alarmAt(plan)) return { plan: reminded, isReminderDue, raisesAlarm: false };
  return {
    plan: { ...reminded, raised: { at: alarmAt(plan), reason: "silence" } },
    isReminderDue: false,
    raisesAlarm: true,
  };
}

export function nextAdvanceAt(plan: Plan): number {
  const end = plan.raised ? erasedAt(plan) : alarmAt(plan);
  const reminder = isMakerReminded(plan) ? reminderTimes(plan)[plan.asks] : undefined;
  return Math.min(end, reminder ?? end);
}

export interface PinResult extends PlanChange {
  readonly reply: Omit<MeetAnswerResponse, "status"> & { readonly status?: PlanStatus };
}

/** The caller that proved to be the device on which the plan was made. Other callers are networks. */
export const MAKER = "maker";

/** How many more wrong PINs the caller has. Nobody can use up the tries of the maker's device from elsewhere. */
function triesLeft({ wrongPins = {} }: Plan, caller: string): number {
  const own = MEET_TRIES_MAX - (wrongPins[caller] ?? 0);
  if (caller === MAKER) return own;
  const byLink = Object.entries(wrongPins).reduce((sum, [name, count]) => (name === MAKER ? sum : sum + count), 0);
  return Math.min(own, MEET_LINK_TRIES_MAX - byLink);
}

/**
 * Applies a PIN; both PINs get the same reply. After too many wrong ones the plan accepts none of this caller, and the alarm comes at its time.
 *
 * @param pin undefined for a wrong one
 */
export function applyPin(
  plan: Plan,
  pin: "fine" | "help" | undefined,
  act: PinAction,
  caller: string,
  now: number,
): PinResult {
  const noEvents = { isReminderDue: false, raisesAlarm: false };
  if (triesLeft(plan, caller) <= 0) return { plan, ...noEvents, reply: { accepted: false, triesLeft: 0 } };
  const { [caller]: wrongBefore = 0, ...wrongPins } = plan.wrongPins ?? {};
  if (!pin) {
    const tried = { ...plan, wrongPins: { ...wrongPins, [caller]: wrongBefore + 1 } };
    return { plan: tried, ...noEvents, reply: { accepted: false, triesLeft: triesLeft(tried, caller) } };
  }
  const verified = { ...plan, wrongPins };
  const extended = act.type === "extend" ? extendPlan(verified, act, now) : verified;
  const reply = {
    accepted: true,
    triesLeft: MEET_TRIES_MAX,
    ...(act.type === "extend" && { status: planStatus(extended, now) }),
  };
  if (pin === "help") {
    const raised = { at: plan.raised?.at ?? now, reason: "pin" } as const;
    const disguise = act.type === "fine" ? { looksEnded: true as const } : {};
    return {
      plan: { ...extended, ...disguise, raised },
      isReminderDue: false,
      raisesAlarm: plan.raised?.reason !== "pin",
      reply,
    };
  }
  if (act.type === "extend") {
    const { raised, ...running } = extended;
    const isCalledOff = raised?.reason !== "pin" && now < alarmAt(extended);
    return { plan: isCalledOff ? running : extended, ...noEvents, reply };
  }
  if (!plan.raised) return { plan: undefined, ...noEvents, reply };
  // The friend has seen the alarm, so the plan stays until its end to say that all is well, without its content.
  return { plan: { ...verified, plan: "", safeAt: now }, ...noEvents, reply };
}

/** Adds time to the deadline, or to the present if that is later, up to the maximum duration. */
function extendPlan(plan: Plan, { from, byMs }: Extract<PinAction, { type: "extend" }>, now: number): Plan {
  const deadline = Math.min(Math.max(from, now) + byMs, latestDeadline(plan));
  const isFirst = from === plan.deadline && deadline > plan.deadline;
  const later = { ...plan, deadline: isFirst ? deadline : plan.deadline };
  return { ...later, asks: reminderTimes(later).filter((time) => time <= now).length };
}

/** Whether the maker's device still sees the plan. */
export function isOpenToMaker(plan: Plan | undefined): plan is Plan {
  return plan !== undefined && !plan.looksEnded && plan.safeAt === undefined;
}

/** The status for the maker's device. An alarm raised by the second PIN shows only when the deadline would have raised it too. */
export function planStatus(plan: Plan, now: number): PlanStatus {
  const { deadline } = plan;
  return {
    state: now >= alarmAt(plan) ? "raised" : "running",
    deadline,
    alarmAt: alarmAt(plan),
    latest: latestDeadline(plan),
  };
}
