import {
  MEET_CALLS_PER_MINUTE_MAX,
  MEET_POSITIONS_EACH_MAX,
  MEET_RETENTION_MS,
  MINUTE_MS,
} from "@lambda/contract/limits";
import type { FriendDevice, FriendMeetState, MeetAnswerResponse, MeetStatus, PinAction } from "@lambda/contract/meets";
import { logFault } from "../../platform/log.ts";
import { isEqualInConstantTime } from "../../platform/mac.ts";
import { MeteredObject } from "../../platform/metering/metered-object.ts";
import type { MeetResult, NewMeet, PinTokens, SafeMeetApi } from "../../platform/objects.ts";
import {
  addFriend,
  countFriends,
  forgetFriends,
  friendKey,
  nextPushAt,
  schedulePushes,
  sendDuePushes,
} from "./friends.ts";
import { remindMaker } from "./maker.ts";
import {
  advancePlan,
  alarmAt,
  applyPin,
  erasedAt,
  hashPlanToken,
  isMakerReminded,
  isOpenToMaker,
  isSamePlan,
  MAKER,
  newPlan,
  nextAdvanceAt,
  type Plan,
  planStatus,
} from "./plan.ts";

/** A reminder that was not sent yet, or is on its way. */
interface Reminder {
  readonly deadline: number;
  readonly at: number;
}

type Position = Extract<FriendMeetState, { state: "raised" }>["positions"][number];

/**
 * One plan, named by a hash of its id so that stored data leads to no link: its deadline, content that only the link can decrypt, and
 * hashes of the tokens that authorize calls. Each call and alarm first advances the plan to the present, so none depends on another.
 */
export class SafeMeet extends MeteredObject implements SafeMeetApi {
  readonly #calls = { minute: 0, counts: new Map<string, number>() };

  async create(draft: NewMeet, now: number): Promise<MeetStatus | "taken"> {
    const existing = await this.#advance(now);
    if (await this.ctx.storage.get("ended")) return "taken";
    // The maker's device repeats a call whose answer it did not get.
    if (existing) return isOpenToMaker(existing) && isSamePlan(existing, draft) ? this.#status(existing, now) : "taken";
    const plan = newPlan(draft, now);
    await this.#save(plan);
    return this.#status(plan, now);
  }

  async read(reader: string, caller: string, now: number): Promise<MeetResult<FriendMeetState>> {
    const hash = await hashPlanToken(reader);
    const plan = await this.#advance(now);
    if (!plan || !isEqualInConstantTime(hash, plan.reader)) return "gone";
    const { raised, safeAt } = plan;
    if (!raised && this.#isBusy(`read ${caller}`, now)) return "busy";
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

  async subscribe(reader: string, device: FriendDevice, caller: string, now: number): Promise<MeetResult<true>> {
    const [hash, key] = await Promise.all([hashPlanToken(reader), friendKey(device)]);
    const plan = await this.#advance(now);
    if (!plan || plan.raised || !isEqualInConstantTime(hash, plan.reader)) return "gone";
    await addFriend(this.ctx.storage, key, device, { caller, now });
    return true;
  }

  async status(owner: string, now: number): Promise<MeetResult<MeetStatus>> {
    const hash = await hashPlanToken(owner);
    const plan = await this.#advance(now);
    if (!isOpenToMaker(plan) || !isEqualInConstantTime(hash, plan.owner)) return "gone";
    if (this.#isBusy("status", now)) return "busy";
    return this.#status(plan, now);
  }

  async #status(plan: Plan, now: number): Promise<MeetStatus> {
    return { ...planStatus(plan, now), phones: await countFriends(this.ctx.storage) };
  }

  async addPosition(owner: string, position: string, now: number): Promise<MeetResult<true>> {
    const hash = await hashPlanToken(owner);
    const plan = await this.#advance(now);
    if (!isOpenToMaker(plan) || !isEqualInConstantTime(hash, plan.owner)) return "gone";
    if (this.#isBusy("position", now)) return "busy";
    const kept = await this.#positions();
    // Whoever holds the maker's device can add positions, but not push out those of the way there.
    const isFull = kept.length >= 2 * MEET_POSITIONS_EACH_MAX;
    const others = isFull ? kept.toSpliced(MEET_POSITIONS_EACH_MAX, 1) : kept;
    await this.ctx.storage.put("positions", [...others, { ts: now, position }]);
    return true;
  }

  async answer(
    tokens: PinTokens,
    act: PinAction,
    caller: string,
    now: number,
  ): Promise<MeetResult<MeetAnswerResponse>> {
    // Hashed before the plan is read: awaiting anything between reading and writing would let concurrent tries count as one.
    const [reader = "", pin = "", owner] = await Promise.all(
      [tokens.reader, tokens.pin, ...(tokens.owner ? [tokens.owner] : [])].map(hashPlanToken),
    );
    const plan = await this.#advance(now);
    if (!isOpenToMaker(plan) || !isEqualInConstantTime(reader, plan.reader)) return "gone";
    if (owner !== undefined && !isEqualInConstantTime(owner, plan.owner)) return "gone";
    const [fine, help] = [isEqualInConstantTime(pin, plan.fine), isEqualInConstantTime(pin, plan.help)];
    const by = owner === undefined ? caller : MAKER;
    const result = applyPin(plan, fine ? "fine" : help ? "help" : undefined, act, by, now);
    if (result.plan !== plan) await this.#save(result.plan, result.raisesAlarm ? now : undefined);
    if (!result.plan) await this.#markEnded(now);
    const { status, ...reply } = result.reply;
    return status ? { ...reply, status: { ...status, phones: await countFriends(this.ctx.storage) } } : reply;
  }

  /** Runs when a reminder, the plan's alarm, a push retry or the erasure is due. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    if (!(await this.#advance(now))) return this.ctx.storage.deleteAll();
    await sendDuePushes(this.env, this.ctx.storage, now);
    // A PIN may have ended the plan during the push.
    const plan = await this.ctx.storage.get<Plan>("plan");
    if (plan) await this.#setAlarm(plan);
  }

  /** Advances the plan to this moment, stores the result, and sends due reminders. Undefined when there is no plan any more. */
  async #advance(now: number): Promise<Plan | undefined> {
    const plan = await this.ctx.storage.get<Plan>("plan");
    if (!plan) return undefined;
    const change = advancePlan(plan, now);
    const isReminderDue = change.isReminderDue || (await this.#retriesReminderAt(plan)) <= now;
    // Before the plan counts it, so that one that fails is not lost.
    if (isReminderDue)
      await this.ctx.storage.put<Reminder>("reminder", { deadline: plan.deadline, at: now + MINUTE_MS });
    if (change.plan !== plan || isReminderDue) await this.#save(change.plan, change.raisesAlarm ? now : undefined);
    // A failed reminder must not affect what the friend sees.
    if (isReminderDue)
      this.ctx.waitUntil(this.#remind(plan, now).catch((error) => logFault({ event: "safe-meet ask" }, error)));
    return change.plan;
  }

  async #remind(plan: Plan, now: number): Promise<void> {
    await remindMaker(this.env, plan.maker, now);
    await this.ctx.storage.delete("reminder");
  }

  /** When a reminder that has not arrived is sent again; never for a deadline that was moved. */
  async #retriesReminderAt(plan: Plan): Promise<number> {
    const reminder = await this.ctx.storage.get<Reminder>("reminder");
    return reminder && reminder.deadline === plan.deadline && isMakerReminded(plan) && !plan.raised
      ? reminder.at
      : Number.POSITIVE_INFINITY;
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
    if (plan.safeAt !== undefined) {
      await storage.delete("positions");
      await forgetFriends(storage);
    }
    if (pushAt !== undefined) await schedulePushes(storage, pushAt);
    await this.#setAlarm(plan);
  }

  /** For as long as the second PIN would keep the plan: otherwise whoever has the device could try whether its plan can be made again. */
  async #markEnded(now: number): Promise<void> {
    await this.ctx.storage.put("ended", true);
    await this.ctx.storage.setAlarm(now + MEET_RETENTION_MS);
  }

  async #setAlarm(plan: Plan): Promise<void> {
    await this.ctx.storage.setAlarm(
      Math.min(nextAdvanceAt(plan), await nextPushAt(this.ctx.storage), await this.#retriesReminderAt(plan)),
    );
  }

  async #positions(): Promise<Position[]> {
    return (await this.ctx.storage.get<Position[]>("positions")) ?? [];
  }

  /**
   * Counts in memory, since frequent calls keep the object awake. Called only after the token was checked, or a stranger could lock the
   * friend out; each kind and caller has a budget of its own, or one friend could lock out another.
   */
  #isBusy(name: string, now: number): boolean {
    const minute = Math.floor(now / MINUTE_MS);
    if (this.#calls.minute !== minute) {
      this.#calls.minute = minute;
      this.#calls.counts.clear();
    }
    const count = (this.#calls.counts.get(name) ?? 0) + 1;
    this.#calls.counts.set(name, count);
    return count > MEET_CALLS_PER_MINUTE_MAX;
  }
}
