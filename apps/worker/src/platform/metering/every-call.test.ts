/**
 * Each call of the router that a member may make, as often as a day's limits let 1,000 accounts make it, with what the platform bills for it.
 * `npm run bench -- s9` prints the figures.
 *
 * @module-tag slow
 */
import { writeFileSync } from "node:fs";
import {
  CALLS_PER_MINUTE_MAX,
  CHANGE_ROW_BYTES,
  CHANGES_PER_DAY_MAX,
  SOCKET_FRAMES_PER_MINUTE_MAX,
  WORK_PER_DAY_MAX,
  WORK_RESERVE,
} from "@lambda/contract/limits";
import { type Billed, microdollarsOf } from "@lambda/contract/prices";
import { ID_RULES } from "@lambda/testing/adversary/id-rules";
import { listInputs } from "@lambda/testing/adversary/read-everything";
import { createWorld, type World } from "@lambda/testing/adversary/world";
import { type TestMember, withQuotas } from "@lambda/testing/member";
import { listProcedures, type Procedure } from "@lambda/testing/procedures";
import { openSocket } from "@lambda/testing/socket";
import { beforeAll, expect, it } from "vitest";
import { appRouter } from "../../router.ts";

const ACCOUNTS = 1000;
/** So few that an account of a week makes all calls within the limit of a minute. */
const TIMES = 3;
/** The metrics of the questions themselves, which nobody pays for. */
const NOISE = 1.5 / TIMES;
const MINUTES_A_DAY = 1440;
/** What each request costs beside the doors: itself, its log line and its processor time. */
const REQUEST =
  microdollarsOf("worker requests") + microdollarsOf("log lines", 0.05) + microdollarsOf("worker CPU, ms", 3);
/** The same of a frame, without the switch that each reads in development. */
const FRAME = microdollarsOf("object requests", 0.05) - microdollarsOf("R2 reads");
/** These share a budget of the site or of their own, which docs/SCALE.md adds. */
const BUDGETED: ReadonlySet<string> = new Set(["transformations", "mails"]);
/** Whoever calls these has no session afterwards, or another one, and can go on only after a login, which is limited. */
const ENDS_SESSION = /^(accounts\.(logout|login|register)|sessions\.endAll|deletion\.request|lockdown\.unlocked)/;

interface Figure {
  readonly name: string;
  /** Millionths of a dollar for one call: what the platform bills, and what the member is charged. */
  readonly billed: number;
  readonly charged: number;
  /** Of all accounts. */
  readonly dollarsADay: number;
  readonly bytesADay: number;
}

let world: World;
let me: TestMember;
beforeAll(async () => {
  world = await createWorld();
  await world.sql("update account set ts_created = 1 where id = ?", world.me.id);
  me = withQuotas(world.me);
});

type Total = Record<Billed, number>;
const billOf = (total: Total) =>
  Object.entries(total)
    .filter(([name]) => !BUDGETED.has(name))
    .reduce((sum, [name, amount]) => sum + microdollarsOf(name as Billed, amount), 0);

interface Spent {
  /** Millionths of a dollar. */
  readonly bill: number;
  readonly charged: number;
  /** Written to the databases, those of indexes too. */
  readonly rows: number;
}

/** What was used and charged since the last question. */
async function ask(): Promise<Spent> {
  const response = await world.worker.fetch(`http://ember.localhost/dev/spent.json?profileId=${me.id}`);
  const { total, charged } = (await response.json()) as { total: Total; charged: number };
  return { bill: billOf(total), charged, rows: total["D1 rows written"] };
}

/** Asked often enough for work after the answers to end. */
async function askAll(): Promise<Spent> {
  let bill = 0;
  let rows = 0;
  let charged = 0;
  for (let times = 0; times < 4; times += 1) {
    const each = await ask();
    bill += each.bill;
    rows += each.rows;
    charged = each.charged;
  }
  return { bill, charged, rows };
}

/** @param base what each costs beside the doors */
async function figureOf(
  name: string,
  times: number,
  isChange: boolean,
  play: () => Promise<unknown>,
  base = REQUEST,
): Promise<Figure> {
  await askAll();
  const before = await askAll();
  await play();
  const after = await askAll();
  const billed = Math.max(0, after.bill - before.bill) / times + base;
  const charged = (after.charged - before.charged) / times;
  const byWork = charged > 0 ? (WORK_PER_DAY_MAX + WORK_RESERVE) / charged : Number.POSITIVE_INFINITY;
  const byCalls = isChange ? CHANGES_PER_DAY_MAX : CALLS_PER_MINUTE_MAX * MINUTES_A_DAY;
  const calls = ACCOUNTS * Math.min(byWork, byCalls);
  const bytesADay = calls * (Math.max(0, after.rows - before.rows) / times) * CHANGE_ROW_BYTES;
  return { name, billed, charged, dollarsADay: (calls * billed) / 1e6, bytesADay };
}

/** Valid inputs, prepared beforehand, since what they need is written by the same isolate. */
async function inputsOf({ name, type, inputs }: Procedure): Promise<unknown[]> {
  const context = { lat: 33.4, lon: -112, caseRef: "none", text: "hello" };
  const read = () => listInputs({ name, type, inputs, meta: {} }, me.id, world.other.id, context).at(-1);
  const made: unknown[] = [];
  for (let time = 0; time < TIMES; time += 1)
    made.push(type === "query" ? read() : await ID_RULES[name]?.allowed(world));
  return made;
}

async function playCall({ name, type }: Procedure, inputs: readonly unknown[]): Promise<void> {
  for (const input of inputs) {
    const query = encodeURIComponent(JSON.stringify(input ?? {}));
    const sent =
      type === "query" ? me.fetch(`/trpc/${name}?input=${query}`) : me.send("POST", `/trpc/${name}`, input ?? {});
    const answer = await (await sent).text();
    if (answer.includes('"quota":"calls"')) throw new Error(`${name} was refused`);
  }
}

const procedures = listProcedures(appRouter).filter(
  ({ name, meta }) => meta.access !== "admin" && ID_RULES[name]?.as !== "admin" && !ENDS_SESSION.test(name),
);

it("charges for every call at least what it costs, so that 1,000 accounts stay within their days", {
  timeout: 600_000,
}, async () => {
  const figures: Figure[] = [];
  for (const procedure of procedures) {
    const play = async () => {
      const inputs = await inputsOf(procedure);
      return figureOf(procedure.name, TIMES, procedure.type === "mutation", () => playCall(procedure, inputs));
    };
    // Twice, so that what the site does meanwhile by itself is told from what the call costs.
    const [figure, again] = [await play(), await play()];
    figures.push(again.billed - again.charged < figure.billed - figure.charged ? again : figure);
  }
  const socket = await openSocket(world.worker, me, { quotas: true });
  figures.push(
    await figureOf(
      "a frame of a socket",
      SOCKET_FRAMES_PER_MINUTE_MAX,
      false,
      async () => {
        for (let frame = 0; frame < SOCKET_FRAMES_PER_MINUTE_MAX; frame += 1)
          socket.send({ type: "typing", toProfileId: world.other.id });
        socket.close();
        await socket.closed;
      },
      FRAME,
    ),
    await figureOf("a socket", TIMES, false, async () => {
      for (let time = 0; time < TIMES; time += 1) {
        const opened = await openSocket(world.worker, me, { quotas: true });
        opened.close();
        await opened.closed;
      }
    }),
  );
  const { EVERY_CALL_FIGURES: file } = process.env;
  if (file) writeFileSync(file, JSON.stringify(figures));
  const tooCheap = figures
    .filter(({ billed, charged }) => billed > charged * 1.02 + NOISE)
    .map(({ name, billed, charged }) => `${name}: billed ${billed.toFixed(2)}, charged ${charged.toFixed(2)}`);
  expect(tooCheap).toEqual([]);
});
