import { MEET_ASK_MS, MEET_KEPT_MS, MEET_MAX_MS, MEET_TRIES_MAX } from "@lambda/contract/limits";
import { describe, expect, it } from "vitest";
import { answerPlan, isOpenToMaker, newPlan, nextMoment, type Plan, settle, statusOf } from "./plan.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = 1_800_000_000_000;
const draft = { reader: "r", owner: "o", fine: "f", help: "h", plan: "p", maker: "m" };
const plan = newPlan({ ...draft, runsMs: 2 * HOUR, graceMs: 10 * MINUTE }, START);
const due = START + 2 * HOUR;

/** Walks from moment to moment, as the alarms of the object do. */
function live(from: Plan, until: number): { plan: Plan | undefined; asked: number[]; raised: number[] } {
  const asked: number[] = [];
  const raised: number[] = [];
  let now: Plan | undefined = from;
  while (now && nextMoment(now) <= until) {
    const at: number = nextMoment(now);
    const settled: ReturnType<typeof settle> = settle(now, at);
    if (settled.asks) asked.push(at);
    if (settled.raises) raised.push(at);
    expect(settle(settled.plan ?? now, at)).toMatchObject(settled.plan ? { asks: false, raises: false } : {});
    now = settled.plan;
  }
  return { plan: now, asked, raised };
}

describe("a plan", () => {
  it("asks twice, is raised once, and is gone a day later", () => {
    const lived = live(plan, due + 10 * MINUTE + MEET_KEPT_MS);
    expect(lived).toEqual({ plan: undefined, asked: [due - MEET_ASK_MS, due], raised: [due + 10 * MINUTE] });
  });

  it("is raised at its own time by whoever looks first, however late", () => {
    const late = settle(plan, due + HOUR);
    expect(late).toMatchObject({ raises: true, asks: false, plan: { raised: { at: due + 10 * MINUTE } } });
    expect(settle(plan, due + 10 * MINUTE + MEET_KEPT_MS).plan).toBeUndefined();
  });

  it("ends by a PIN, and by the second one looks the same", () => {
    const fine = answerPlan(plan, "fine", { type: "fine" }, START + HOUR);
    const help = answerPlan(plan, "help", { type: "fine" }, START + HOUR);
    expect(help.reply).toEqual(fine.reply);
    expect([isOpenToMaker(fine.plan), isOpenToMaker(help.plan)]).toEqual([false, false]);
    expect(fine.plan).toBeUndefined();
    expect(help).toMatchObject({ raises: true, plan: { raised: { at: START + HOUR, reason: "pin" } } });
  });

  it("runs on for whoever looks on when the second PIN asked for more time: status, questions, and its end", () => {
    const act = { type: "extend", deadline: due + HOUR } as const;
    const fine = answerPlan(plan, "fine", act, START + HOUR);
    const help = answerPlan(plan, "help", act, START + HOUR);
    expect(help.reply).toEqual(fine.reply);
    const [a, b] = [fine.plan, help.plan];
    if (!a || !b) throw new Error("both go on");
    for (const later of [START + HOUR, due + 30 * MINUTE, due + 2 * HOUR])
      expect(statusOf(b, later)).toEqual(statusOf(a, later));
    expect(live(b, due + 65 * MINUTE).asked).toEqual(live(a, due + 65 * MINUTE).asked);
    expect(answerPlan(b, "fine", { type: "fine" }, due).plan).toMatchObject({ safeAt: due, plan: "" });
  });

  it("is put off by what was asked, never nearer, never beyond a day, and the same call twice changes nothing", () => {
    const act = { type: "extend", deadline: due + HOUR } as const;
    const once = answerPlan(plan, "fine", act, START + HOUR).plan;
    expect(once).toMatchObject({ deadline: due + HOUR });
    expect(answerPlan(once!, "fine", act, START + HOUR).plan).toEqual(once);
    expect(answerPlan(once!, "fine", { type: "extend", deadline: START + HOUR + 1 }, START + HOUR).plan).toEqual(once);
    const far = answerPlan(plan, "fine", { type: "extend", deadline: START + 9 * MEET_MAX_MS }, START + HOUR).plan;
    expect(far?.deadline).toBe(START + MEET_MAX_MS);
  });

  it("takes an alarm back when its maker answers late, and keeps the news alone", () => {
    const raised = settle(plan, due + HOUR).plan!;
    expect(answerPlan(raised, "fine", { type: "fine" }, due + HOUR).plan).toMatchObject({
      safeAt: due + HOUR,
      plan: "",
    });
    const longer = answerPlan(raised, "fine", { type: "extend", deadline: due + 2 * HOUR }, due + HOUR).plan!;
    expect(longer.raised).toBeUndefined();
    const forced = answerPlan(raised, "help", { type: "fine" }, due + HOUR).plan;
    expect(forced).toMatchObject({ raised: { at: due + 10 * MINUTE, reason: "pin" }, looksEnded: true });
  });

  it("counts wrong PINs, and after the last takes none at all", () => {
    let tried = plan;
    for (let left = MEET_TRIES_MAX - 1; left >= 0; left -= 1) {
      const wrong = answerPlan(tried, undefined, { type: "fine" }, START);
      expect(wrong.reply).toEqual({ accepted: false, triesLeft: left });
      tried = wrong.plan!;
    }
    for (const pin of ["fine", "help"] as const)
      expect(answerPlan(tried, pin, { type: "fine" }, START)).toMatchObject({
        plan: tried,
        reply: { accepted: false },
      });
    expect(live(tried, due + HOUR).raised).toEqual([due + 10 * MINUTE]);
  });
});
