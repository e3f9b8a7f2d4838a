import {
  HOUR_MS,
  MEET_CHECK_IN_MS,
  MEET_MAX_MS,
  MEET_RETENTION_MS,
  MEET_TRIES_MAX,
  MINUTE_MS,
} from "@lambda/contract/limits";
import { describe, expect, it } from "vitest";
import { encryptMaker } from "./maker.ts";
import { advancePlan, applyPin, isOpenToMaker, newPlan, nextAdvanceAt, type Plan, planStatus } from "./plan.ts";

const START = 1_800_000_000_000;
const NETWORK = "n";
const draft = { reader: "r", owner: "o", fine: "f", help: "h", plan: "p", maker: "m" };
const plan = newPlan({ ...draft, runsMs: 2 * HOUR_MS, graceMs: 10 * MINUTE_MS }, START);
const due = START + 2 * HOUR_MS;

/** Advances the plan from alarm to alarm, as the object does. */
function runAlarms(from: Plan, until: number): { plan: Plan | undefined; reminded: number[]; raised: number[] } {
  const reminded: number[] = [];
  const raised: number[] = [];
  let now: Plan | undefined = from;
  while (now && nextAdvanceAt(now) <= until) {
    const at: number = nextAdvanceAt(now);
    const change: ReturnType<typeof advancePlan> = advancePlan(now, at);
    if (change.isReminderDue) reminded.push(at);
    if (change.raisesAlarm) raised.push(at);
    expect(advancePlan(change.plan ?? now, at)).toMatchObject(
      change.plan ? { isReminderDue: false, raisesAlarm: false } : {},
    );
    now = change.plan;
  }
  return { plan: now, reminded, raised };
}

it("stores its maker sealed, with one length for every account and brand", () => {
  const env = { SITE_KEY: "a key of this test" };
  const sealed = [
    encryptMaker(env, { profileId: 1, brand: "ember" }),
    encryptMaker(env, { profileId: 9_007_199_254_740_991, brand: "bramble" }),
  ];
  expect(new Set(sealed.map((text) => text.length)).size).toBe(1);
  for (const text of sealed)
    expect(Buffer.from(text, "base64").toString("latin1")).not.toMatch(/profileId|ember|bramble/);
});

describe("a plan", () => {
  it("reminds twice, is raised once, and is erased a day later", () => {
    const result = runAlarms(plan, due + 10 * MINUTE_MS + MEET_RETENTION_MS);
    expect(result).toEqual({
      plan: undefined,
      reminded: [due - MEET_CHECK_IN_MS, due],
      raised: [due + 10 * MINUTE_MS],
    });
  });

  it("is raised as of its alarm time, however late that is noticed", () => {
    const late = advancePlan(plan, due + HOUR_MS);
    expect(late).toMatchObject({
      raisesAlarm: true,
      isReminderDue: false,
      plan: { raised: { at: due + 10 * MINUTE_MS } },
    });
    expect(advancePlan(plan, due + 10 * MINUTE_MS + MEET_RETENTION_MS).plan).toBeUndefined();
  });

  it("ends by the first PIN, and seems to end by the second", () => {
    const fine = applyPin(plan, "fine", { type: "fine" }, NETWORK, START + HOUR_MS);
    const help = applyPin(plan, "help", { type: "fine" }, NETWORK, START + HOUR_MS);
    expect(help.reply).toEqual(fine.reply);
    expect([isOpenToMaker(fine.plan), isOpenToMaker(help.plan)]).toEqual([false, false]);
    expect(fine.plan).toBeUndefined();
    expect(help).toMatchObject({ raisesAlarm: true, plan: { raised: { at: START + HOUR_MS, reason: "pin" } } });
  });

  it("looks the same to an onlooker when the second PIN extends it: status, reminders, and its end", () => {
    const act = { type: "extend", from: due, byMs: HOUR_MS } as const;
    const fine = applyPin(plan, "fine", act, NETWORK, START + HOUR_MS);
    const help = applyPin(plan, "help", act, NETWORK, START + HOUR_MS);
    expect(help.reply).toEqual(fine.reply);
    const [a, b] = [fine.plan, help.plan];
    if (!a || !b) throw new Error("both go on");
    for (const later of [START + HOUR_MS, due + 30 * MINUTE_MS, due + 2 * HOUR_MS])
      expect(planStatus(b, later)).toEqual(planStatus(a, later));
    expect(runAlarms(b, due + 65 * MINUTE_MS).reminded).toEqual(runAlarms(a, due + 65 * MINUTE_MS).reminded);
    expect(applyPin(b, "fine", { type: "fine" }, NETWORK, due).plan).toMatchObject({ safeAt: due, plan: "" });
  });

  it("is extended to the requested time, but never shortened or beyond a day, and repeating it changes nothing", () => {
    const act = { type: "extend", from: due, byMs: HOUR_MS } as const;
    const once = applyPin(plan, "fine", act, NETWORK, START + HOUR_MS).plan;
    expect(once).toMatchObject({ deadline: due + HOUR_MS });
    expect(applyPin(once!, "fine", act, NETWORK, START + HOUR_MS).plan).toEqual(once);
    expect(applyPin(once!, "fine", { ...act, byMs: 2 * HOUR_MS }, NETWORK, START + HOUR_MS).plan).toEqual(once);
    const far = applyPin(plan, "fine", { ...act, byMs: MEET_MAX_MS }, NETWORK, START + HOUR_MS).plan;
    expect(far?.deadline).toBe(START + MEET_MAX_MS);
  });

  it("withdraws an alarm when its maker answers late, and keeps only that fact", () => {
    const raised = advancePlan(plan, due + HOUR_MS).plan!;
    expect(applyPin(raised, "fine", { type: "fine" }, NETWORK, due + HOUR_MS).plan).toMatchObject({
      safeAt: due + HOUR_MS,
      plan: "",
    });
    const longer = applyPin(raised, "fine", { type: "extend", from: due, byMs: HOUR_MS }, NETWORK, due + HOUR_MS).plan!;
    expect(longer.raised).toBeUndefined();
    const forced = applyPin(raised, "help", { type: "fine" }, NETWORK, due + HOUR_MS).plan;
    expect(forced).toMatchObject({ raised: { at: due + 10 * MINUTE_MS, reason: "pin" }, looksEnded: true });
  });

  it("counts wrong PINs, and accepts none after the last try", () => {
    let tried = plan;
    for (let left = MEET_TRIES_MAX - 1; left >= 0; left -= 1) {
      const wrong = applyPin(tried, undefined, { type: "fine" }, NETWORK, START);
      expect(wrong.reply).toEqual({ accepted: false, triesLeft: left });
      tried = wrong.plan!;
    }
    for (const pin of ["fine", "help"] as const)
      expect(applyPin(tried, pin, { type: "fine" }, NETWORK, START)).toMatchObject({
        plan: tried,
        reply: { accepted: false },
      });
    expect(runAlarms(tried, due + HOUR_MS).raised).toEqual([due + 10 * MINUTE_MS]);
  });
});
