/** Extrapolates measured costs of actions to a year: what reaches its limit first and when, and what a month costs. */
import { GB, LIMITS } from "@lambda/contract/prices";
import { NEW_PAIRS_BELOW_BYTES } from "@lambda/worker/choose-message-database";
import { type BenchOptions, printLine, round } from "./figures.ts";
import { measureActions } from "./year/actions.ts";
import { HABITS, TIMES_AN_HOUR } from "./year/habits.ts";
import { type Measured, simulateYear, type Year } from "./year/simulate.ts";
import { measureStored } from "./year/stored.ts";
import { drawTown } from "./year/town.ts";

const SIZES = [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
/** Target load of a database, as a share of its limit. */
const LOAD_MAX = 0.5;
const DATABASE_BYTES_MAX = 6 * GB;

export async function run({ members }: BenchOptions): Promise<void> {
  const measured: Measured = { ...(await measureActions()), stored: measureStored() };
  printMeasured(measured);
  const town = drawTown();
  const { dailyShare, hoursADay, accountsPerMember } = HABITS;
  printLine("share of a day's use in the busiest hour", `${round(town.busiestHourShare * 100)} %`);
  printLine(
    "assumed",
    `${dailyShare * 100} % of a month's members a day, ${hoursADay} h each, ${accountsPerMember} accounts each after a year`,
  );
  for (const size of members ? [members] : SIZES)
    printYear(simulateYear(size, measured, town), town.membersInSquare(size, measured.map.pageMax));
}

function printMeasured({ actions, map, stored }: Measured): void {
  printLine("action", "times per hour; requests, trips, rows read, rows written, response bytes");
  for (const [name, { requests, trips, rowsRead, rowsWritten, bytes }] of Object.entries(actions)) {
    const times = TIMES_AN_HOUR[name as keyof typeof TIMES_AN_HOUR];
    printLine(`  ${name}`, `${times}; ${[requests, trips, rowsRead, rowsWritten, bytes].map(round).join(", ")}`);
  }
  printLine("each member on the map adds", `${round(map.rowsPerMember)} rows`);
  for (const [kind, { bytes, daysKept }] of Object.entries(stored))
    printLine(`a stored ${kind}`, `${round(bytes)} bytes${daysKept === undefined ? "" : `, kept ${daysKept} days`}`);
}

function printYear(year: Year, inSquare: number): void {
  const list = (items: readonly (readonly [string | number, string | number])[]) =>
    items.map(([name, value]) => `${name} ${value}`).join(", ");
  const { message: _, ...others } = year.bytes;
  const bytes = Object.values(others).reduce((sum, part) => sum + part, 0);
  const { tripsPerSecond: trips, writesPerSecond: writes } = year;
  const databases = (perSecond: number) => Math.ceil(perSecond / (LIMITS.queriesPerSecond * LOAD_MAX));
  const dollars = Object.entries(year.dollars).filter(([, amount]) => amount >= 1);
  const lines: readonly (readonly [label: string, text: string])[] = [
    ["concurrent members in the foreground, busiest hour", String(Math.round(year.concurrentMembers))],
    ["members in a member's square of the map", String(Math.round(inSquare))],
    ["database load per second at peak", `${round(trips)} trips, ${round(writes)} of them writes`],
    ["after a year, GB", list(Object.entries(year.bytes).map(([kind, size]) => [kind, round(size / GB)]))],
    ...year.bottlenecks.map(({ name, load, day }): [string, string] => [
      `  ${name}`,
      `${round(load * 100)} % of the ceiling${day === undefined ? "" : `, reached on day ${day}`}`,
    ]),
    [
      "message databases at the end of month",
      list(year.messageBytes.map(({ month, bytes: size }) => [month, Math.ceil(size / NEW_PAIRS_BELOW_BYTES)])),
    ],
    ["databases at 6 GB each, besides messages", String(Math.ceil(bytes / DATABASE_BYTES_MAX))],
    ["read replicas, primaries at half of a thread", `${databases(trips - writes)}, ${databases(writes)}`],
    [
      "dollars per month",
      `${round(year.dollarsAMonth)}; per 1,000 members ${round(year.dollarsAMonth / (year.members / 1000))}`,
    ],
    ...dollars
      .sort((a, b) => b[1] - a[1])
      .map(([name, amount]): [string, string] => [
        `  ${name}`,
        `${round(amount)} (${round(year.amounts[name as keyof typeof year.amounts])})`,
      ]),
  ];
  console.log(`\n-- ${year.members.toLocaleString("en")} members a month`);
  for (const [label, text] of lines) printLine(label, text);
}
