/** Extrapolates measured costs of actions to a year: what reaches its limit first and when, and what a month costs. */

import { type Billed, GB, LIMITS } from "@lambda/contract/prices";
import { NEW_PAIRS_BELOW_BYTES } from "@lambda/worker/choose-shard";
import { printLine, round } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { measureActions } from "./year/actions.ts";
import { ACCOUNTS_PER_MEMBER, DAILY_SHARE, HOURS_A_DAY, TIMES_AN_HOUR } from "./year/habits.ts";
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
  printLine("share of a day's use in the busiest hour", `${round(town.busiestHourShare * 100)} %`);
  printLine(
    "assumed",
    `${DAILY_SHARE * 100} % of a month's members a day, ${HOURS_A_DAY} h each, ${ACCOUNTS_PER_MEMBER} accounts each after a year`,
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
  printLine("each member on the map adds", `${round(map.rowsPerMember)} rows, ${round(map.bytesPerMember)} bytes`);
  for (const [kind, { bytes, daysKept }] of Object.entries(stored)) {
    printLine(`a stored ${kind}`, `${round(bytes)} bytes${daysKept === undefined ? "" : `, kept ${daysKept} days`}`);
  }
}

function printYear(year: Year, inSquare: number): void {
  console.log(`\n-- ${year.members.toLocaleString("en")} members a month`);
  printLine("concurrent members in the foreground, busiest hour", String(Math.round(year.concurrentMembers)));
  printLine("members in a member's square of the map", String(Math.round(inSquare)));
  printLine(
    "database load per second at peak",
    `${round(year.tripsPerSecond)} trips, ${round(year.writesPerSecond)} of them writes`,
  );
  printLine(
    "database after a year, GB",
    Object.entries(year.bytes)
      .map(([kind, bytes]) => `${kind} ${round(bytes / GB)}`)
      .join(", "),
  );
  for (const { name, load, day } of year.bottlenecks) {
    printLine(
      `  ${name}`,
      `${round(load * 100)} % of the ceiling${day === undefined ? "" : `, reached on day ${day}`}`,
    );
  }
  printLine(
    "message databases at the end of month",
    year.messageBytes.map(({ month, bytes }) => `${month}: ${Math.ceil(bytes / NEW_PAIRS_BELOW_BYTES)}`).join(", "),
  );
  const { message: _, ...others } = year.bytes;
  const bytes = Object.values(others).reduce((sum, part) => sum + part, 0);
  const replicas = Math.ceil((year.tripsPerSecond - year.writesPerSecond) / (LIMITS.queriesPerSecond * LOAD_MAX));
  printLine(
    "databases at 6 GB each, not counting message databases; read replicas",
    `${Math.ceil(bytes / DATABASE_BYTES_MAX)}; ${replicas}`,
  );
  printLine(
    "primaries at half of a thread",
    String(Math.ceil(year.writesPerSecond / (LIMITS.queriesPerSecond * LOAD_MAX))),
  );
  const mostExpensive = (Object.entries(year.dollars) as [Billed, number][])
    .filter(([, dollars]) => dollars >= 1)
    .sort((a, b) => b[1] - a[1]);
  printLine(
    "dollars per month",
    `${round(year.dollarsAMonth)}; per 1,000 members ${round(year.dollarsAMonth / (year.members / 1000))}`,
  );
  for (const [name, dollars] of mostExpensive)
    printLine(`  ${name}`, `${round(dollars)} (${round(year.amounts[name])})`);
}
