import { DurableObject } from "cloudflare:workers";
import { MEET_POSITIONS_MAX, MEET_READS_PER_MINUTE_MAX } from "@lambda/contract/limits";
import type { FriendAnswer, FriendDevice, MeetStatus, PinAct } from "@lambda/contract/meets";
import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import type { MeetAnswer, NewMeet, PinTokens, SafeMeetApi } from "../../platform/objects.ts";
import { askMaker } from "./maker.ts";
import {
  alarmAt,
  answerPlan,
  erasedAt,
  isOpenToMaker,
  newPlan,
  nextMoment,
  type Plan,
  settle,
  statusOf,
} from "./plan.ts";
import { pushFriend } from "./push-friend.ts";
import { areSame, hashToken } from "./tokens.ts";

const MINUTE_MS = 60_000;
/** A push service that is busy is asked again after each of these. */
const PUSH_RETRY_MS = [10_000, 30_000, 120_000, 600_000];

type Position = Extract<FriendAnswer, { state: "raised" }>["positions"][number];

/** A push to the friend's device that has not gone yet. */
interface PushDue {
  readonly at: number;
  readonly failures: number;
}

/**
 * One plan: its deadline, what only the link opens, and hashes of the tokens that may ask. Named by a hash of the plan's id, so that
 * what is stored leads to no link. Each call and each alarm first brings the plan to the present, so that none depends on another.
 */
export class SafeMeet extends DurableObject<Env> implements SafeMeetApi {
  #calls = { minute: 0, count: 0 };

  async create(draft: NewMeet, now: number): Promise<MeetStatus | "taken"> {
    if (await this.#settled(now)) return "taken";
    const plan = newPlan(draft, now);
    await this.#keep(plan);
    return statusOf(plan, now);
  }

  async read(reader: string, now: number): Promise<MeetAnswer<FriendAnswer>> {
    const hash = await hashToken(reader);
    const plan = await this.#settled(now);
    if (!plan || !areSame(hash, plan.reader)) return "gone";
    if (this.#isBusy(now)) return "busy";
    const { raised, safeAt } = plan;
    if (safeAt !== undefined) return { state: "safe", now, safeAt };
    if (!raised) return { state: "waiting", now, deadline: plan.deadline, alarmAt: alarmAt(plan) };
    return {
      state: "raised",
      now,
      reason: raised.reason,
      raisedAt: raised.at,
      erasedAt: erasedAt(plan),
      plan: plan.plan,
      positions: await this.#positions(),
    };
  }

  async subscribe(reader: string, device: FriendDevice, now: number): Promise<MeetAnswer<true>> {
    const hash = await hashToken(reader);
    const plan = await this.#settled(now);
    if (!plan || plan.raised || !areSame(hash, plan.reader)) return "gone";
    if (this.#isBusy(now)) return "busy";
    await this.ctx.storage.put("friend", device);
    return true;
  }

  async status(owner: string, now: number): Promise<MeetAnswer<MeetStatus>> {
    const hash = await hashToken(owner);
    const plan = await this.#settled(now);
    if (!isOpenToMaker(plan) || !areSame(hash, plan.owner)) return "gone";
    if (this.#isBusy(now)) return "busy";
    return statusOf(plan, now);
  }

  async addPosition(owner: string, position: string, now: number): Promise<MeetAnswer<true>> {
    const hash = await hashToken(owner);
    const plan = await this.#settled(now);
    if (!isOpenToMaker(plan) || !areSame(hash, plan.owner)) return "gone";
    if (this.#isBusy(now)) return "busy";
    const kept = await this.#positions();
    await this.ctx.storage.put("positions", [...kept, { ts: now, position }].slice(-MEET_POSITIONS_MAX));
    return true;
  }

  async answer(
    tokens: PinTokens,
    act: PinAct,
    now: number,
  ): Promise<MeetAnswer<{ accepted: boolean; triesLeft: number }>> {
    // Before the plan is read: between reading and writing nothing else may be waited for, or tries at once would count as one.
    const [reader, hash] = await Promise.all([hashToken(tokens.reader), hashToken(tokens.pin)]);
    const plan = await this.#settled(now);
    if (!isOpenToMaker(plan) || !areSame(reader, plan.reader)) return "gone";
    if (this.#isBusy(now)) return "busy";
    const [fine, help] = [areSame(hash, plan.fine), areSame(hash, plan.help)];
    const answered = answerPlan(plan, fine ? "fine" : help ? "help" : undefined, act, now);
    await this.#keep(answered.plan, answered.raises ? now : undefined);
    return answered.reply;
  }

  /** At an asking time, at the alarm, at a push's repetition, and when all is erased. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    if (await this.#settled(now)) await this.#sendDue(now);
  }

  /** The plan as it is now, with what that brings along already stored; undefined where there is none any more. */
  async #settled(now: number): Promise<Plan | undefined> {
    const plan = await this.ctx.storage.get<Plan>("plan");
    if (!plan) return undefined;
    const settled = settle(plan, now);
    if (settled.plan !== plan) await this.#keep(settled.plan, settled.raises ? now : undefined);
    if (settled.asks) {
      // Whether the maker could be asked must not decide what the friend hears.
      this.ctx.waitUntil(
        askMaker(this.env, plan.maker, now).catch((error) => logFault({ event: "safe-meet ask" }, error)),
      );
    }
    return settled.plan;
  }

  /** Stores a plan and when to look again, or erases all there is. The friend's push goes by the alarm, which is repeated if it fails. */
  async #keep(plan: Plan | undefined, pushAt?: number): Promise<void> {
    const { storage } = this.ctx;
    if (!plan) {
      await storage.deleteAlarm();
      await storage.deleteAll();
      return;
    }
    await storage.put("plan", plan);
    if (plan.safeAt !== undefined) await storage.delete(["positions", "friend", "push"]);
    if (pushAt !== undefined) await storage.put<PushDue>("push", { at: pushAt, failures: 0 });
    await this.#setAlarm(plan);
  }

  async #setAlarm(plan: Plan): Promise<void> {
    const due = await this.ctx.storage.get<PushDue>("push");
    await this.ctx.storage.setAlarm(Math.min(nextMoment(plan), due?.at ?? Number.POSITIVE_INFINITY));
  }

  /** Tells the friend's device of an alarm. A device that cannot be reached changes nothing for the page. */
  async #sendDue(now: number): Promise<void> {
    const { storage } = this.ctx;
    const due = await storage.get<PushDue>("push");
    const device = await storage.get<FriendDevice>("friend");
    if (due && due.at <= now) {
      const outcome = device ? await pushFriend(this.env, device) : "gone";
      const wait = outcome === "again" ? PUSH_RETRY_MS[due.failures] : undefined;
      if (wait === undefined) await storage.delete("push");
      else await storage.put<PushDue>("push", { at: now + wait, failures: due.failures + 1 });
      const subscribed = await storage.get<FriendDevice>("friend");
      if (outcome === "gone" && subscribed?.endpoint === device?.endpoint) await storage.delete("friend");
    }
    // A PIN may have ended the plan while the push service was asked.
    const plan = await storage.get<Plan>("plan");
    if (plan) await this.#setAlarm(plan);
  }

  async #positions(): Promise<Position[]> {
    return (await this.ctx.storage.get<Position[]>("positions")) ?? [];
  }

  /** Counts in memory: whoever asks this often keeps the object awake. Only who may ask counts, or a stranger could shut the friend out. */
  #isBusy(now: number): boolean {
    const minute = Math.floor(now / MINUTE_MS);
    if (this.#calls.minute !== minute) this.#calls = { minute, count: 0 };
    this.#calls.count += 1;
    return this.#calls.count > MEET_READS_PER_MINUTE_MAX;
  }
}
