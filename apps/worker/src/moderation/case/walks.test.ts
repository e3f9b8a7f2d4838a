/** Random walks through the life of a case: every case ends, and no walk hits an illegal transition. */
import { APPEAL_WINDOW_MS, JURY_SEATS, JURY_VOTING_MS } from "@lambda/contract/limits";
import { ActionKind, RULE_IDS, RULES } from "@lambda/contract/moderation";
import { seededRandom } from "@lambda/testing/random";
import { describe, expect, it } from "vitest";
import type { AppealRoute, Case, CaseEvent, CastBallot, Effect, JuryFacts, NewStaffAction, OpenJury } from "./case.ts";
import { step } from "./step.ts";

const NOW = 1_800_000_000_000;
const jurors = Array.from({ length: JURY_SEATS }, (_, index) => 100 + index);
const facts: JuryFacts = { pictureId: null, activeActions: [], record: { pool: 500, tested: 0, confirmed: 0 } };

/** In these walks staff answer within this time; every other delay in a case is bounded by a limit. */
const STAFF_ANSWER_MS = 7 * 86_400_000;
/**
 * The first round and an appeal by each side, each of them before a jury, then before staff, then waiting for the next
 * appeal.
 */
const LONGEST_MS = 3 * (JURY_VOTING_MS + STAFF_ANSWER_MS + APPEAL_WINDOW_MS);
const STEPS_MAX = 2 + 3 * (JURY_SEATS + 4);

describe("a random walk", () => {
  const walks = Array.from({ length: 2000 }, (_, seed) => walk(seededRandom(seed + 1).next));

  it("ends within bounded time and steps", () => {
    for (const { state, now, steps } of walks) {
      expect(state.at).toBe("closed");
      expect(now - NOW).toBeLessThanOrEqual(LONGEST_MS);
      expect(steps).toBeLessThanOrEqual(STEPS_MAX);
    }
  });

  it("reaches every state and every outcome", () => {
    expect(new Set(walks.flatMap(({ visited }) => visited))).toEqual(
      new Set(["new", "staff", "jury", "decided", "appeal", "closed"]),
    );
    expect(new Set(walks.map(({ state }) => state.at === "closed" && state.outcome))).toEqual(
      new Set(["none", ...ActionKind.options]),
    );
  });

  it("logs each decision and lets neither side appeal twice", () => {
    for (const { visited, effects } of walks) {
      const logged = (name: string) =>
        effects.filter((effect) => effect.type === "log" && effect.entry.action === name).length;
      expect(logged("appeal.filed")).toBe(logged("appeal.decided"));
      expect(logged("appeal.filed")).toBeLessThanOrEqual(2);
      const sides = effects.flatMap((effect) => (effect.type === "openAppeal" ? [effect.side] : []));
      expect(new Set(sides).size).toBe(sides.length);
      const isOpenedByStaff = visited[1] === "decided";
      expect(logged("report.decided")).toBe(isOpenedByStaff ? 0 : 1);
    }
  });
});

/** Picks random possible events, advancing the time between them, until the case is closed. */
function walk(random: () => number) {
  let state: Case = { at: "new" };
  let now = NOW;
  let steps = 0;
  const visited: string[] = ["new"];
  const effects: Effect[] = [];
  while (state.at !== "closed") {
    const choices = nextEvents(state, random);
    const [event, delay] = choices[Math.floor(random() * choices.length)]!;
    now += delay;
    const next = step(state, event, now);
    effects.push(...next.effects);
    visited.push(next.state.at);
    state = next.state;
    steps += 1;
    if (steps > 10 * STEPS_MAX) break;
  }
  return { state, now, steps, visited, effects };
}

/** The events that can happen next, each with the time that passes until then. */
function nextEvents(state: Case, random: () => number): [CaseEvent, number][] {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  const soon = Math.floor(random() * 1000);
  const staff = (event: CaseEvent): [CaseEvent, number] => [event, Math.floor(random() * STAFF_ANSWER_MS)];
  const rule = pick(RULE_IDS);
  const action: NewStaffAction = {
    staffId: 1,
    kind: pick(ActionKind.options),
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
    const juryFacts = { ...facts, pictureId: random() < 0.5 ? 5 : null };
    return [[{ type: "juryClosed", ballots, withdrawn, facts: juryFacts, summary: "" }, 0]];
  }
  const voted: CaseEvent = {
    type: "voted",
    ballot: { jurorId: 100, verdict: "violation", sanction: "warn", reason: "Yes." },
  };
  return [
    [voted, 0],
    [voted, 0],
    [{ type: "excused", jurorId: 100 }, 0],
    [{ type: "seatsExpired", seats: jury.waiting }, JURY_VOTING_MS],
  ];
}
