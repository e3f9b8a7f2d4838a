/** Simulates a year from the cost of each action, members' habits and where they live. Deterministic. */

import { type Billed, dollarsOf, LIMITS, PLAN_DOLLARS } from "@lambda/contract/prices";
import {
  ACCOUNTS_PER_MEMBER,
  type ActionName,
  BURST,
  BYTES_PER_PICTURE,
  CPU_MS,
  DAILY_SHARE,
  HOURS_A_DAY,
  IDLE_OBJECT_REQUESTS_A_MINUTE,
  LIKE_KEPT,
  LOG_LINES_PER_REQUEST,
  MAILS_A_MONTH,
  OBJECT_GB,
  OBJECT_REQUESTS,
  OBJECT_SECONDS_PER_REQUEST,
  PICTURES_PER_ACCOUNT,
  TIMES_AN_HOUR,
  TRANSFORMATIONS_PER_UPLOAD,
} from "./habits.ts";
import type { Stored } from "./stored.ts";
import type { TownModel } from "./town.ts";

/** Mean cost of one action. */
export interface ActionCost {
  readonly requests: number;
  readonly trips: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly bytes: number;
}

/** What each additional member in the map's square adds to a map response. */
export interface MapCost {
  readonly rowsPerMember: number;
  readonly bytesPerMember: number;
  readonly pageMax: number;
}

export interface Measured {
  readonly actions: Readonly<Record<ActionName, ActionCost>>;
  readonly map: MapCost;
  readonly stored: Stored;
}

export interface Bottleneck {
  readonly name: string;
  /** Share of the limit at the end of the year or in the busiest hour. */
  readonly load: number;
  /** Day of the year on which the limit is reached; undefined if it is not. */
  readonly day: number | undefined;
}

export interface Year {
  readonly members: number;
  /** Members in the foreground in the world's busiest hour. */
  readonly concurrentMembers: number;
  readonly tripsPerSecond: number;
  readonly writesPerSecond: number;
  readonly amounts: Readonly<Record<Billed, number>>;
  readonly dollars: Readonly<Record<Billed, number>>;
  readonly dollarsAMonth: number;
  /** Database bytes at the end of the year, by kind of data. */
  readonly bytes: Readonly<Record<keyof Stored, number>>;
  /** Total bytes of messages at the end of some months. */
  readonly messageBytes: readonly { readonly month: number; readonly bytes: number }[];
  /** Ordered by the day they are reached, then by load. */
  readonly bottlenecks: readonly Bottleneck[];
}

const DAYS = 365;
const MONTH_DAYS = 30;
const MONTHS_SHOWN = [1, 3, 6, 12];
const WRITES: readonly ActionName[] = [
  "send a message",
  "mark as read",
  "mark as delivered",
  "like",
  "position elsewhere",
  "upload a picture",
];

export function simulateYear(members: number, measured: Measured, town: TownModel): Year {
  const hoursAMonth = members * DAILY_SHARE * HOURS_A_DAY * MONTH_DAYS;
  const hour = costOfAnHour(members, measured, town);
  const concurrentMembers = members * DAILY_SHARE * HOURS_A_DAY * town.busiestHourShare;
  const perSecond = (anHour: number) => (concurrentMembers * anHour * BURST) / 3600;
  const growth = growOverDays(members, measured.stored);
  const end = growth[DAYS - 1]!;
  const databaseBytes = sum(Object.values(end.bytes));
  const requests = hour.requests * hoursAMonth;
  const objectRequests =
    IDLE_OBJECT_REQUESTS_A_MINUTE * 60 * 24 * MONTH_DAYS +
    hoursAMonth *
      (hour.requests * OBJECT_REQUESTS.read +
        hour.writes * OBJECT_REQUESTS.write +
        OBJECT_REQUESTS.socketFramesAnHour / 20);
  const uploads = TIMES_AN_HOUR["upload a picture"] * hoursAMonth;
  const amounts: Record<Billed, number> = {
    "worker requests": requests,
    "worker CPU, ms": requests * CPU_MS,
    "log lines": requests * LOG_LINES_PER_REQUEST,
    "D1 rows read": hour.rowsRead * hoursAMonth,
    "D1 rows written": hour.rowsWritten * hoursAMonth,
    "D1 bytes": databaseBytes,
    "object requests": objectRequests,
    "object GB-s": objectRequests * OBJECT_SECONDS_PER_REQUEST * OBJECT_GB,
    "R2 bytes": end.accounts * PICTURES_PER_ACCOUNT * BYTES_PER_PICTURE,
    "R2 writes": uploads * TRANSFORMATIONS_PER_UPLOAD,
    "R2 reads": TIMES_AN_HOUR["a picture"] * hoursAMonth,
    transformations: uploads * TRANSFORMATIONS_PER_UPLOAD,
    "queue operations": 3 * hoursAMonth * (TIMES_AN_HOUR["send a message"] + TIMES_AN_HOUR.like),
    mails: members * MAILS_A_MONTH,
  };
  const dollars = dollarsOf(amounts);
  const tripsPerSecond = perSecond(hour.trips);
  const writesPerSecond = perSecond(hour.writes);
  const onDay = (reached: (day: (typeof growth)[number]) => boolean) => {
    const index = growth.findIndex(reached);
    return index < 0 ? undefined : index + 1;
  };
  const bottlenecks: Bottleneck[] = [
    bottleneck(
      "bytes of the database, were messages in it",
      databaseBytes / LIMITS.databaseBytes,
      onDay((day) => sum(Object.values(day.bytes)) > LIMITS.databaseBytes),
    ),
    bottleneck(
      "bytes of the main database",
      bytesWithoutMessages(end.bytes) / LIMITS.databaseBytes,
      onDay((day) => bytesWithoutMessages(day.bytes) > LIMITS.databaseBytes),
    ),
    bottleneck("round trips to the database, busiest second", tripsPerSecond / LIMITS.queriesPerSecond),
    bottleneck("writes to the database, busiest second", writesPerSecond / LIMITS.queriesPerSecond),
    bottleneck("bytes of all databases of the account", databaseBytes / LIMITS.accountBytes),
    bottleneck(
      "messages of the queue, busiest second",
      perSecond(TIMES_AN_HOUR["send a message"] + TIMES_AN_HOUR.like) / LIMITS.queueMessagesPerSecond,
    ),
  ];
  return {
    members,
    concurrentMembers,
    tripsPerSecond,
    writesPerSecond,
    amounts,
    dollars,
    dollarsAMonth: PLAN_DOLLARS + sum(Object.values(dollars)),
    bytes: end.bytes,
    messageBytes: MONTHS_SHOWN.map((month) => ({
      month,
      bytes: growth[Math.min(month * MONTH_DAYS, DAYS) - 1]!.bytes.message,
    })),
    bottlenecks: bottlenecks.sort((a, b) => (a.day ?? DAYS + 1) - (b.day ?? DAYS + 1) || b.load - a.load),
  };
}

/** A peak load above its limit is reached on the first day. */
const bottleneck = (name: string, load: number, day = load > 1 ? 1 : undefined): Bottleneck => ({ name, load, day });

interface HourCost extends ActionCost {
  readonly writes: number;
}

function costOfAnHour(members: number, { actions, map }: Measured, town: TownModel): HourCost {
  const seen = town.membersInSquare(members, map.pageMax);
  const total = { requests: 0, trips: 0, rowsRead: 0, rowsWritten: 0, bytes: 0, writes: 0 };
  for (const [name, times] of Object.entries(TIMES_AN_HOUR) as [ActionName, number][]) {
    const cost = actions[name];
    const onMap = name === "the map's members" ? seen : 0;
    total.requests += times * cost.requests;
    total.trips += times * cost.trips;
    total.rowsRead += times * (cost.rowsRead + onMap * map.rowsPerMember);
    total.rowsWritten += times * cost.rowsWritten;
    total.bytes += times * (cost.bytes + onMap * map.bytesPerMember);
    if (WRITES.includes(name)) total.writes += times;
  }
  return total;
}

interface Day {
  readonly accounts: number;
  readonly bytes: Record<keyof Stored, number>;
}

/** The number of monthly members is constant, while accounts grow each day. */
function growOverDays(members: number, stored: Stored): Day[] {
  const hours = members * DAILY_SHARE * HOURS_A_DAY;
  return Array.from({ length: DAYS }, (_, index) => {
    const day = index + 1;
    const accounts = members * (1 + ((ACCOUNTS_PER_MEMBER - 1) * day) / DAYS);
    const kept = (daysKept: number | undefined) => Math.min(day, daysKept ?? day);
    const bytes = {
      account: accounts * stored.account.bytes,
      message: hours * TIMES_AN_HOUR["send a message"] * kept(stored.message.daysKept) * stored.message.bytes,
      like: hours * TIMES_AN_HOUR.like * kept(stored.like.daysKept) * LIKE_KEPT * stored.like.bytes,
      notification: hours * TIMES_AN_HOUR.like * kept(stored.notification.daysKept) * stored.notification.bytes,
      picture: accounts * PICTURES_PER_ACCOUNT * stored.picture.bytes,
    };
    return { accounts, bytes };
  });
}

function bytesWithoutMessages({ message: _, ...others }: Record<keyof Stored, number>): number {
  return sum(Object.values(others));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
