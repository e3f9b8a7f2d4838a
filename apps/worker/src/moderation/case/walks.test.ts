/** Random walks through the life of a case: nothing may happen to it that the state machine does not know, and it ends. */
import { APPEAL_WINDOW_MS, JURY_ANSWER_MS, JURY_SEATS } from "@lambda/contract/limits";
import { ACTION_KINDS, RULE_IDS, RULES } from "@lambda/contract/moderation";
import { seededRandom } from "@lambda/testing/random";
import { describe, expect, it } from "vitest";
import type { AppealRoute, Case, CaseEvent, CastBallot, Effect, JuryFacts, NewStaffAction, OpenJury } from "./case.ts";
import { step } from "./step.ts";

const NOW = 1_800_000_000_000;
const jurors = Array.from({ length: JURY_SEATS }, (_, index) => 100 + index);
const facts: JuryFacts = { pictureId: null, activeActions: [], record: { pool: 500, tested: 0, confirmed: 0 } };

/** Staff answer within this time in the walks; nothing else in a case depends on anybody. */
const STAFF_ANSWER_MS = 7 * 86_400_000;
/** A first round and one for each side's appeal, each before a jury and then before staff, and the last time to appeal. */
const LONGEST_MS = 3 * (JURY_ANSWER_MS + STAFF_ANSWER_MS + APPEAL_WINDOW_MS);
const STEPS_MAX = 2 + 3 * (JURY_SEATS + 4);

describe("a random walk", () => {
  const walks = Array.from({ length: 2000 }, (_, seed) => walk(seededRandom(seed + 1).next));

  it("ends each case, in bounded time and steps", () => {
    for (const { state, now, steps } of walks) {
      expect(state.at).toBe("closed");
      expect(now - NOW).toBeLessThanOrEqual(LONGEST_MS);
      expect(steps).toBeLessThanOrEqual(STEPS_MAX);
    }
  });

  it("comes through every state, and ends in every outcome that its events allow", () => {
    expect(new Set(walks.flatMap(({ visited }) => visited))).toEqual(
      new Set(["new", "staff", "jury", "decided", "appeal", "closed"]),
    );
    expect(new Set(walks.map(({ state }) => state.at === "closed" && state.outcome))).toEqual(
      new Set(["none", ...ACTION_KINDS]),
    );
  });

  it("tells and logs each decision, and appeals no side twice", () => {
    for (const { effects } of walks) {
      const logged = (name: string) =>
        effects.filter((effect) => effect.type === "log" && effect.entry.action === name).length;
      expect(logged("appeal.filed")).toBe(logged("appeal.decided"));
      expect(logged("appeal.filed")).toBeLessThanOrEqual(2);
      const sides = effects.flatMap((effect) => (effect.type === "openAppeal" ? [effect.side] : []));
      expect(new Set(sides).size).toBe(sides.length);
      const opened = effects.some(({ type }) => type === "createDecidedCase");
      expect(logged("report.decided")).toBe(opened ? 0 : 1);
    }
  });
});

/** Chooses among what may happen next, with time going on in between, until nothing can. */
function walk(random: () => number) {
  let state: Case = { at: "new" };
  let now = NOW;
  let steps = 0;
  const visited: string[] = ["new"];
  const effects: Effect[] = [];
  while (state.at !== "closed") {
    const choices = nextEvents(state, random);
    const [event, waits] = choices[Math.floor(random() * choices.length)]!;
    now += waits;
    const next = step(state, event, now);
    effects.push(...next.effects);
    visited.push(next.state.at);
    state = next.state;
    steps += 1;
    if (steps > 10 * STEPS_MAX) break;
  }
  return { state, now, steps, visited, effects };
}

/** What can happen to a case, each with the time that passes until then. */
function nextEvents(state: Case, random: () => number): [CaseEvent, number][] {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  const soon = Math.floor(random() * 1000);
  const staff = (event: CaseEvent): [CaseEvent, number] => [event, Math.floor(random() * STAFF_ANSWER_MS)];
  const rule = pick(RULE_IDS);
  const action: NewStaffAction = {
    staffId: 1,
    kind: pick(ACTION_KINDS),
    rule,
    reason: "",
    until: null,
    pictureId: null,
  };
  const acted: CaseEvent = { type: "acted", action };
  const dismissed: CaseEvent = { type: "dismissed", staffId: 1, reason: "" };
  const decide = (reversed: boolean): CaseEvent => ({ type: "appealDecided", staffId: 1, reversed, activeActions: [] });
  switch (state.at) {
    case "new":
      return [
        [
          { type: "filed", rule, by: "member", isPrivate: random() < 0.2, credibility: random(), tsCleared: null },
          soon,
        ],
        [{ type: "openedByStaff", rule, action }, soon],
      ];
    case "staff":
      if (state.reason === null && !RULES[state.rule].staffOnly) {
        return [
          [{ type: "juryDrawn", jurors, pool: 500 }, soon],
          [{ type: "poolUnfit", problem: "few" }, soon],
        ];
      }
      return [staff(dismissed), staff(acted)];
    case "jury":
      return [...juryEvents(state.jury, random), ...(random() < 0.05 ? [staffNow(acted)] : [])];
    case "appeal":
      if (state.jury) return juryEvents(state.jury, random);
      return state.side === "reporter"
        ? [staff(decide(false)), staff(acted)]
        : [staff(decide(false)), staff(decide(true))];
    case "decided": {
      const side = state.decision.outcome === "none" ? "reporter" : "subject";
      const over: [CaseEvent, number] = [{ type: "appealTimeOver" }, APPEAL_WINDOW_MS + 1];
      if (state.decision.appealed.includes(side)) return [over];
      const byStaff: AppealRoute = { by: "staff", reason: "few" };
      const route = pick<AppealRoute>([byStaff, { by: "jury", jurors, pool: 500 }]);
      const appeal: CaseEvent = { type: "appealed", side, profileId: 7, text: "Look again.", route };
      return [[appeal, Math.floor(random() * APPEAL_WINDOW_MS)], over];
    }
    case "closed":
      return [];
  }
}

const staffNow = (event: CaseEvent): [CaseEvent, number] => [event, 0];

function juryEvents(jury: OpenJury, random: () => number): [CaseEvent, number][] {
  if (jury.waiting === 0) {
    const guilty = Math.floor(random() * (jury.voted + 1));
    const sanction = random() < 0.5 ? "suspend_7" : "hide_picture";
    const ballots = jurors
      .slice(0, jury.voted)
      .map(
        (jurorId, index): CastBallot =>
          index < guilty
            ? { jurorId, verdict: "violation", sanction }
            : { jurorId, verdict: "no_violation", sanction: null },
      );
    const withdrawn = random() < 0.1;
    const known = { ...facts, pictureId: random() < 0.5 ? 5 : null };
    return [[{ type: "juryClosed", ballots, withdrawn, facts: known, summary: "" }, 0]];
  }
  const voted: CaseEvent = {
    type: "voted",
    ballot: { jurorId: 100, verdict: "violation", sanction: "warn", reason: "Yes." },
  };
  return [
    [voted, 0],
    [voted, 0],
    [{ type: "excused", jurorId: 100 }, 0],
    [{ type: "seatsExpired", seats: jury.waiting }, JURY_ANSWER_MS],
  ];
}
