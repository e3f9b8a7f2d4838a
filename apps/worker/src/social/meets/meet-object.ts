import { DurableObject } from "cloudflare:workers";
import { MEET_POSITIONS_MAX, MEET_READS_PER_MINUTE_MAX, MINUTE_MS } from "@lambda/contract/limits";
import type { FriendDevice, FriendMeetState, MeetStatus, PinAction } from "@lambda/contract/meets";
import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { isEqualInConstantTime } from "../../platform/mac.ts";
import type { MeetResult, NewMeet, PinTokens, SafeMeetApi } from "../../platform/objects.ts";
import { remindMaker } from "./maker.ts";
import {
  advancePlan,
  alarmAt,
  applyPin,
  erasedAt,
  isOpenToMaker,
  newPlan,
  nextAdvanceAt,
  type Plan,
  planStatus,
} from "./plan.ts";
import { pushFriend } from "./push-friend.ts";
import { hashPlanToken } from "./tokens.ts";

/** Delays before a failed push is retried. */
const PUSH_RETRY_MS = [10_000, 30_000, 120_000, 600_000];

type Position = Extract<FriendMeetState, { state: "raised" }>["positions"][number];

/** A push to the friend's device that has yet to be sent. */
interface PushDue {
  readonly at: number;
  readonly failures: number;
}

/**
 * One plan, named by a hash of its id so that stored data leads to no link: its deadline, content that only the link can decrypt, and
 * hashes of the tokens that authorize calls. Each call and alarm first advances the plan to the present, so none depends on another.
 */
export class SafeMeet extends DurableObject<Env> implements SafeMeetApi {
  #calls = { minute: 0, count: 0 };

  async create(draft: NewMeet, now: number): Promise<MeetStatus | "taken"> {
    if (await this.#advance(now)) return "taken";
    const plan = newPlan(draft, now);
    await this.#save(plan);
    return planStatus(plan, now);
  }

  async read(reader: string, now: number): Promise<MeetResult<FriendMeetState>> {
    const hash = await hashPlanToken(reader);
    const plan = await this.#advance(now);
    if (!plan || !isEqualInConstantTime(hash, plan.reader)) return "gone";
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

  async subscribe(reader: string, device: FriendDevice, now: number): Promise<MeetResult<true>> {
    const hash = await hashPlanToken(reader);
    const plan = await this.#advance(now);
    if (!plan || plan.raised || !isEqualInConstantTime(hash, plan.reader)) return "gone";
    if (this.#isBusy(now)) return "busy";
    await this.ctx.storage.put("friend", device);
    return true;
  }

  async status(owner: string, now: number): Promise<MeetResult<MeetStatus>> {
    const hash = await hashPlanToken(owner);
    const plan = await this.#advance(now);
    if (!isOpenToMaker(plan) || !isEqualInConstantTime(hash, plan.owner)) return "gone";
    if (this.#isBusy(now)) return "busy";
    return planStatus(plan, now);
  }

  async addPosition(owner: string, position: string, now: number): Promise<MeetResult<true>> {
    const hash = await hashPlanToken(owner);
    const plan = await this.#advance(now);
    if (!isOpenToMaker(plan) || !isEqualInConstantTime(hash, plan.owner)) return "gone";
    if (this.#isBusy(now)) return "busy";
    const kept = await this.#positions();
    await this.ctx.storage.put("positions", [...kept, { ts: now, position }].slice(-MEET_POSITIONS_MAX));
    return true;
  }

  async answer(
    tokens: PinTokens,
    act: PinAction,
    now: number,
  ): Promise<MeetResult<{ accepted: boolean; triesLeft: number }>> {
    // Hashed before the plan is read: awaiting anything between reading and writing would let concurrent tries count as one.
    const [reader, hash] = await Promise.all([hashPlanToken(tokens.reader), hashPlanToken(tokens.pin)]);
    const plan = await this.#advance(now);
    if (!isOpenToMaker(plan) || !isEqualInConstantTime(reader, plan.reader)) return "gone";
    if (this.#isBusy(now)) return "busy";
    const [fine, help] = [isEqualInConstantTime(hash, plan.fine), isEqualInConstantTime(hash, plan.help)];
    const result = applyPin(plan, fine ? "fine" : help ? "help" : undefined, act, now);
    await this.#save(result.plan, result.raisesAlarm ? now : undefined);
    return result.reply;
  }

  /** Runs when a reminder, the plan's alarm, a push retry or the erasure is due. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    if (await this.#advance(now)) await this.#sendDuePush(now);
  }

  /** Advances the plan to this moment, stores the result, and sends due reminders. Undefined when there is no plan any more. */
  async #advance(now: number): Promise<Plan | undefined> {
    const plan = await this.ctx.storage.get<Plan>("plan");
    if (!plan) return undefined;
    const change = advancePlan(plan, now);
    if (change.plan !== plan) await this.#save(change.plan, change.raisesAlarm ? now : undefined);
    if (change.isReminderDue) {
      // A failed reminder must not affect what the friend sees.
      this.ctx.waitUntil(
        remindMaker(this.env, plan.maker, now).catch((error) => logFault({ event: "safe-meet ask" }, error)),
      );
    }
    return change.plan;
  }

  /** Stores the plan and sets its alarm, or erases everything. Pushes are sent by the alarm, which the platform retries if it fails. */
  async #save(plan: Plan | undefined, pushAt?: number): Promise<void> {
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
    await this.ctx.storage.setAlarm(Math.min(nextAdvanceAt(plan), due?.at ?? Number.POSITIVE_INFINITY));
  }

  /** Pushes an alarm to the friend's device. If that fails, the page still shows the alarm. */
  async #sendDuePush(now: number): Promise<void> {
    const { storage } = this.ctx;
    const due = await storage.get<PushDue>("push");
    const device = await storage.get<FriendDevice>("friend");
    if (due && due.at <= now) {
      const outcome = device ? await pushFriend(this.env, device) : "gone";
      const wait = outcome === "retry" ? PUSH_RETRY_MS[due.failures] : undefined;
      if (wait === undefined) await storage.delete("push");
      else await storage.put<PushDue>("push", { at: now + wait, failures: due.failures + 1 });
      const subscribed = await storage.get<FriendDevice>("friend");
      if (outcome === "gone" && subscribed?.endpoint === device?.endpoint) await storage.delete("friend");
    }
    // A PIN may have ended the plan during the push.
    const plan = await storage.get<Plan>("plan");
    if (plan) await this.#setAlarm(plan);
  }

  async #positions(): Promise<Position[]> {
    return (await this.ctx.storage.get<Position[]>("positions")) ?? [];
  }

  /**
   * Counts in memory, since frequent calls keep the object awake. Called only after the token was checked, or a stranger could lock the
   * friend out.
   */
  #isBusy(now: number): boolean {
    const minute = Math.floor(now / MINUTE_MS);
    if (this.#calls.minute !== minute) this.#calls = { minute, count: 0 };
    this.#calls.count += 1;
    return this.#calls.count > MEET_READS_PER_MINUTE_MAX;
  }
}
