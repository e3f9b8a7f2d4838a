import type { JurySanction } from "@lambda/contract/arbitration";
import { APPEAL_WINDOW_MS, JURY_SEATS } from "@lambda/contract/limits";
import { describe, expect, it } from "vitest";
import { canAppeal } from "./appeal-rules.ts";
import type { Case, CaseEvent, CastBallot, JuryFacts, NewStaffAction, OpenJury, Side } from "./case.ts";
import { IllegalTransition, step, voteDeadline } from "./step.ts";

const NOW = 1_800_000_000_000;
const rule = "harassment";
const jurors = Array.from({ length: JURY_SEATS }, (_, index) => 100 + index);
const openJury = (over: Partial<OpenJury> = {}): OpenJury => ({
  round: 1,
  tsSeated: NOW - 1000,
  waiting: JURY_SEATS,
  voted: 0,
  pool: 500,
  ...over,
});
const complete = openJury({ waiting: 0, voted: JURY_SEATS });
const facts: JuryFacts = { pictureId: null, activeActions: [], record: { pool: 500, tested: 0, confirmed: 0 } };
const ballots = (guilty: number, sanction: JurySanction = "warn"): CastBallot[] =>
  jurors.map((jurorId, index) =>
    index < guilty ? { jurorId, verdict: "violation", sanction } : { jurorId, verdict: "no_violation", sanction: null },
  );

const action: NewStaffAction = { staffId: 1, kind: "warn", rule, reason: "", until: null, pictureId: null };
const decision = { outcome: "warn", tsDecided: NOW - 1000, appealed: [] } as const;
const cleared = { ...decision, outcome: "none" } as const;

const STATES = {
  new: { at: "new" },
  staff: { at: "staff", rule, reason: null },
  refused: { at: "staff", rule, reason: "few" },
  jury: { at: "jury", rule, jury: openJury() },
  complete: { at: "jury", rule, jury: complete },
  decided: { at: "decided", rule, decision },
  cleared: { at: "decided", rule, decision: cleared },
  late: { at: "decided", rule, decision: { ...decision, tsDecided: NOW - APPEAL_WINDOW_MS - 1 } },
  "appeal, staff": { at: "appeal", rule, decision, side: "subject", jury: null },
  "reporter's appeal, staff": { at: "appeal", rule, decision: cleared, side: "reporter", jury: null },
  "appeal, jury": { at: "appeal", rule, decision, side: "subject", jury: openJury({ round: 2 }) },
  "appeal, complete": { at: "appeal", rule, decision, side: "subject", jury: { ...complete, round: 2 } },
  closed: { at: "closed", outcome: "warn" },
} as const satisfies Record<string, Case>;
type Name = keyof typeof STATES;

const appealed = (side: Side): CaseEvent => ({
  type: "appealed",
  side,
  profileId: 7,
  text: "Look again.",
  route: { by: "staff", reason: "few" },
});
const EVENTS = {
  filed: { type: "filed", rule, by: "member", isPrivate: false, credibility: 0.5, tsCleared: null },
  "opened by staff": { type: "openedByStaff", rule, action },
  merged: { type: "merged", rule, by: "member", isPrivate: false, isRepeated: false, jurorId: null },
  "jury drawn": { type: "juryDrawn", jurors, pool: 500 },
  "pool refused": { type: "poolUnfit", problem: "few" },
  voted: { type: "voted", ballot: { jurorId: 100, verdict: "violation", sanction: "warn", reason: "Yes." } },
  excused: { type: "excused", jurorId: 100 },
  "jury closed": { type: "juryClosed", ballots: ballots(9), withdrawn: false, facts, summary: "" },
  dismissed: { type: "dismissed", staffId: 1, reason: "" },
  acted: { type: "acted", action },
  "subject appeals": appealed("subject"),
  "reporter appeals": appealed("reporter"),
  reversed: { type: "appealDecided", staffId: 1, reversed: true, activeActions: [] },
  upheld: { type: "appealDecided", staffId: 1, reversed: false, activeActions: [] },
  "appeal time over": { type: "appealTimeOver" },
} as const satisfies Record<string, CaseEvent>;

/** The events allowed in each state, and the state they lead to. All others are illegal. */
const ALLOWED: Record<Name, Partial<Record<keyof typeof EVENTS, Case["at"]>>> = {
  new: { filed: "staff", "opened by staff": "decided" },
  staff: {
    merged: "staff",
    "jury drawn": "jury",
    "pool refused": "staff",
    dismissed: "decided",
    acted: "decided",
  },
  refused: { merged: "staff", dismissed: "decided", acted: "decided" },
  jury: { merged: "jury", voted: "jury", excused: "jury", dismissed: "decided", acted: "decided" },
  complete: { merged: "staff", "jury closed": "decided", dismissed: "decided", acted: "decided" },
  decided: { "subject appeals": "appeal" },
  cleared: { "reporter appeals": "appeal" },
  late: { "appeal time over": "closed" },
  "appeal, staff": { reversed: "decided", upheld: "decided" },
  "reporter's appeal, staff": { upheld: "decided", acted: "decided" },
  "appeal, jury": { voted: "appeal", excused: "appeal" },
  "appeal, complete": { "jury closed": "decided" },
  closed: {},
};

describe.each(Object.keys(STATES) as Name[])("a case in state: %s", (name) => {
  it.each(Object.keys(EVENTS) as (keyof typeof EVENTS)[])("handles or rejects the event: %s", (event) => {
    const to = ALLOWED[name][event];
    const run = () => step(STATES[name], EVENTS[event], NOW).state.at;
    if (to === undefined) expect(run).toThrow(IllegalTransition);
    else expect(run()).toBe(to);
  });
});

const effectsOf = (state: Case, event: CaseEvent) => step(state, event, NOW).effects.map(({ type }) => type);

describe("a new report", () => {
  it.each([
    ["rule", { rule: "minor" }],
    ["private", { isPrivate: true }],
    ["record", { credibility: 0.01 }],
    ["cleared", { tsCleared: NOW - 1 }],
    [null, {}],
  ] as const)("goes to staff for the reason: %s", (reason, over) => {
    const { state } = step(STATES.new, { ...EVENTS.filed, ...over }, NOW);
    expect(state).toMatchObject({ at: "staff", reason });
  });

  it("about another rule, or after the first vote, moves the case from its jury to staff", () => {
    const other = { ...EVENTS.merged, rule: "spam" } as const;
    const voted = { ...STATES.jury, jury: openJury({ voted: 1, waiting: 8 }) };
    for (const next of [step(STATES.jury, other, NOW), step(voted, EVENTS.merged, NOW)]) {
      expect(next.state).toMatchObject({ at: "staff", reason: "joined" });
      expect(next.effects.map(({ type }) => type)).toEqual(["require", "releaseJury", "log"]);
    }
    expect(step(voted, { ...EVENTS.merged, isRepeated: true }, NOW)).toMatchObject({ state: voted, effects: [] });
  });

  it("by a juror of the case empties the juror's seat", () => {
    const { state, effects } = step(STATES.jury, { ...EVENTS.merged, jurorId: 103 }, NOW);
    expect(state).toMatchObject({ jury: { waiting: JURY_SEATS - 1 } });
    expect(effects[0]).toEqual({ type: "emptySeat", jurorId: 103 });
  });
});

describe("a jury", () => {
  const close = (state: Case, over: Partial<Extract<CaseEvent, { type: "juryClosed" }>>) =>
    step(state, { ...EVENTS["jury closed"], ...over }, NOW);

  it.each([
    ["withdrawn", { withdrawn: true }],
    ["undecided", { ballots: ballots(5) }],
    ["undecided", { ballots: ballots(9).slice(0, 4) }],
    ["recommended", { ballots: ballots(9, "suspend_7") }],
  ] as const)("leaves its case to staff: %s", (reason, over) => {
    const { state, effects } = close(STATES.complete, over);
    expect(state).toMatchObject({ at: "staff", reason });
    expect(effects).toContainEqual({ type: "releaseJury", reason });
    expect(effects.some(({ type }) => type === "takeAction" || type === "decide")).toBe(false);
  });

  it("imposes a short suspension without staff, and is paid whatever its verdict", () => {
    const { effects } = close(STATES.complete, { ballots: ballots(9, "suspend_3") });
    expect(effects).toContainEqual({ type: "payJurors", jurors });
    expect(effects).toContainEqual(expect.objectContaining({ type: "takeAction" }));
    expect(effects).toContainEqual({ type: "decide", outcome: "suspend" });
  });

  it("warns instead of hiding a picture that was deleted", () => {
    const hide = ballots(9, "hide_picture");
    expect(close(STATES.complete, { ballots: hide }).effects).toContainEqual({ type: "decide", outcome: "warn" });
    const withPicture = { ...facts, pictureId: 5 };
    expect(close(STATES.complete, { ballots: hide, facts: withPicture }).effects).toContainEqual({
      type: "decide",
      outcome: "hide_picture",
    });
  });

  it("on appeal reverses the decision if it disagrees, and marks the overturned jurors", () => {
    const reversed = close(STATES["appeal, complete"], { ballots: ballots(0) });
    expect(reversed.state).toMatchObject({ at: "decided", decision: { outcome: "none" } });
    expect(reversed.effects).toContainEqual({ type: "closeAppeal", side: "subject", result: "reversed" });
    expect(reversed.effects).toContainEqual({ type: "markOverturned", round: 2, verdict: "no_violation" });
    const upheld = close(STATES["appeal, complete"], { ballots: ballots(9) });
    expect(upheld.state).toMatchObject({ decision: { outcome: "warn" } });
    expect(upheld.effects).toContainEqual({ type: "closeAppeal", side: "subject", result: "upheld" });
    expect(upheld.effects.map(({ type }) => type)).not.toContain("takeAction");
  });

  it("keeps its seats until its time is over", () => {
    const event = { type: "seatsExpired", seats: JURY_SEATS } as const;
    expect(() => step(STATES.jury, event, NOW)).toThrow(IllegalTransition);
    const { state } = step(STATES.jury, event, voteDeadline(STATES.jury.jury));
    expect(state).toMatchObject({ at: "jury", jury: { waiting: 0 } });
  });
});

it("dismisses the jury when staff decide first", () => {
  expect(effectsOf(STATES.jury, EVENTS.dismissed)).toEqual(["require", "decide", "dismissJury", "notify", "log"]);
  expect(effectsOf(STATES.jury, EVENTS.acted)[0]).toBe("takeAction");
});

it("lets each side appeal once, and only if it lost", () => {
  const both = { outcome: "warn", tsDecided: NOW, appealed: ["subject", "reporter"] } as const;
  expect(canAppeal({ ...both, appealed: ["reporter"] }, "subject", NOW)).toBe(true);
  expect(canAppeal(both, "subject", NOW)).toBe(false);
  expect(canAppeal({ ...both, appealed: [] }, "reporter", NOW)).toBe(false);
  expect(canAppeal({ ...both, appealed: [] }, "subject", NOW + APPEAL_WINDOW_MS)).toBe(true);
  expect(canAppeal({ ...both, appealed: [] }, "subject", NOW + APPEAL_WINDOW_MS + 1)).toBe(false);
});
