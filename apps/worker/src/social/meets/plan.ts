/** The life of a plan, without storage or network: it runs, is asked about, and ends by a PIN, or is raised by the clock or the second PIN. */
import { MEET_ASK_MS, MEET_KEPT_MS, MEET_MAX_MS, MEET_TRIES_MAX } from "@lambda/contract/limits";
import type { MeetStatus, PinAct } from "@lambda/contract/meets";
import type { NewMeet } from "../../platform/objects.ts";

export interface Plan extends Omit<NewMeet, "runsMs"> {
  readonly created: number;
  /** What the maker is told; after the second PIN the alarm does not wait for it. */
  readonly deadline: number;
  readonly asks: number;
  readonly tries: number;
  /** The maker said "I am fine" by the second PIN: to whoever holds the device the plan is gone. */
  readonly looksEnded?: true;
  readonly raised?: { readonly at: number; readonly reason: "silence" | "pin" };
  readonly safeAt?: number;
}

/** Undefined: nothing is left to keep. */
export type Kept = Plan | undefined;

export interface Settled {
  readonly plan: Kept;
  /** The maker is to be asked now. */
  readonly asks: boolean;
  /** The alarm was raised by this very step. */
  readonly raises: boolean;
}

export function newPlan({ runsMs, ...rest }: NewMeet, now: number): Plan {
  return { ...rest, created: now, deadline: now + runsMs, asks: 0, tries: 0 };
}

export const alarmAt = (plan: Plan) => plan.deadline + plan.graceMs;
const latest = (plan: Plan) => plan.created + MEET_MAX_MS;
export const erasedAt = (plan: Plan) => (plan.raised?.at ?? alarmAt(plan)) + MEET_KEPT_MS;

/** When the maker is asked: shortly before, and again when the time is up. */
function askTimes({ created, deadline }: Plan): readonly number[] {
  return [deadline - Math.min(MEET_ASK_MS, (deadline - created) / 2), deadline];
}

/** After the second PIN the maker is asked on, as whoever looks on would expect. */
const isAsked = ({ looksEnded, safeAt }: Plan) => !looksEnded && safeAt === undefined;

/** Brings a plan to this moment. The same moment twice changes nothing the second time. */
export function settle(plan: Plan, now: number): Settled {
  if (now >= erasedAt(plan)) return { plan: undefined, asks: false, raises: false };
  const past = askTimes(plan).filter((time) => time <= now).length;
  const asks = isAsked(plan) && past > plan.asks;
  const asked = asks ? { ...plan, asks: past } : plan;
  if (plan.raised || now < alarmAt(plan)) return { plan: asked, asks, raises: false };
  return { plan: { ...asked, raised: { at: alarmAt(plan), reason: "silence" } }, asks: false, raises: true };
}

/** When a settled plan has to be looked at again. */
export function nextMoment(plan: Plan): number {
  const end = plan.raised ? erasedAt(plan) : alarmAt(plan);
  const ask = isAsked(plan) ? askTimes(plan)[plan.asks] : undefined;
  return Math.min(end, ask ?? end);
}

export interface Answered extends Settled {
  readonly reply: { readonly accepted: boolean; readonly triesLeft: number };
}

/**
 * What a PIN does. Both are replied to alike; wrong ones are counted, and end what a PIN can do for this plan: the alarm then comes at
 * its time. `pin` is undefined for a wrong one.
 */
export function answerPlan(plan: Plan, pin: "fine" | "help" | undefined, act: PinAct, now: number): Answered {
  const stays = { asks: false, raises: false };
  if (plan.tries >= MEET_TRIES_MAX) return { plan, ...stays, reply: { accepted: false, triesLeft: 0 } };
  if (!pin) {
    const tries = plan.tries + 1;
    return { plan: { ...plan, tries }, ...stays, reply: { accepted: false, triesLeft: MEET_TRIES_MAX - tries } };
  }
  const reply = { accepted: true, triesLeft: MEET_TRIES_MAX };
  const answered = { ...plan, tries: 0 };
  const extended = act.type === "extend" ? extend(answered, act.deadline, now) : answered;
  if (pin === "help") {
    const raised = { at: plan.raised?.at ?? now, reason: "pin" } as const;
    const looks = act.type === "fine" ? { looksEnded: true as const } : {};
    return { plan: { ...extended, ...looks, raised }, asks: false, raises: plan.raised?.reason !== "pin", reply };
  }
  if (act.type === "extend") {
    const { raised, ...running } = extended;
    const isCalledOff = raised?.reason !== "pin" && now < alarmAt(extended);
    return { plan: isCalledOff ? running : extended, ...stays, reply };
  }
  if (!plan.raised) return { plan: undefined, ...stays, reply };
  // Of what the friend has seen only the news is left.
  return { plan: { ...answered, plan: "", safeAt: now }, ...stays, reply };
}

/** Later by what was asked, never sooner, and not beyond the longest plan. */
function extend(plan: Plan, deadline: number, now: number): Plan {
  const later = { ...plan, deadline: Math.max(plan.deadline, Math.min(deadline, latest(plan))) };
  return { ...later, asks: askTimes(later).filter((time) => time <= now).length };
}

/** Whether the maker's device and whoever holds it find a plan there. */
export function isOpenToMaker(plan: Kept): plan is Plan {
  return plan !== undefined && !plan.looksEnded && plan.safeAt === undefined;
}

/** As if the second PIN were the first: an alarm that it raised shows only when the clock would have raised it too. */
export function statusOf(plan: Plan, now: number): MeetStatus {
  const { deadline } = plan;
  return {
    state: now >= alarmAt(plan) ? "raised" : "running",
    deadline,
    alarmAt: alarmAt(plan),
    latest: latest(plan),
  };
}
