/** Simulates a year from the cost of each action, members' habits and where they live. Deterministic. */
import { type Billed, dollarsOf, LIMITS, PLAN_DOLLARS } from "@lambda/contract/prices";
import { type ActionName, HABITS, TIMES_AN_HOUR } from "./habits.ts";
import type { Stored } from "./stored.ts";
import type { TownModel } from "./town.ts";

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
  readonly pageMax: number;
}

export interface Measured {
  readonly actions: Readonly<Record<ActionName, ActionCost>>;
  readonly map: MapCost;
  readonly stored: Stored;
}

interface Bottleneck {
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
const { dailyShare, hoursADay, objectRequests: perRequest, transformationsPerUpload } = HABITS;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export function simulateYear(members: number, measured: Measured, town: TownModel): Year {
  const hoursAMonth = members * dailyShare * hoursADay * MONTH_DAYS;
  const hour = costOfAnHour(members, measured, town);
  const concurrentMembers = members * dailyShare * hoursADay * town.busiestHourShare;
  const perSecond = (anHour: number) => (concurrentMembers * anHour * HABITS.burst) / 3600;
  const growth = Array.from({ length: DAYS }, (_, index) => storedOn(index + 1, members, measured.stored));
  const end = growth[DAYS - 1]!;
  const requests = hour.requests * hoursAMonth;
  const objectRequests =
    HABITS.idleObjectRequestsAMinute * 60 * 24 * MONTH_DAYS +
    hoursAMonth *
      (hour.requests * perRequest.read + hour.writes * perRequest.write + perRequest.socketFramesAnHour / 20);
  const newsAnHour = TIMES_AN_HOUR["send a message"] + TIMES_AN_HOUR.like;
  const transformations = TIMES_AN_HOUR["upload a picture"] * hoursAMonth * transformationsPerUpload;
  const all = (bytes: Year["bytes"]) => sum(Object.values(bytes));
  const main = (bytes: Year["bytes"]) => all(bytes) - bytes.message;
  const amounts: Record<Billed, number> = {
    "worker requests": requests,
    "worker CPU, ms": requests * HABITS.cpuMs,
    "log lines": requests * HABITS.logLinesPerRequest,
    "D1 rows read": hour.rowsRead * hoursAMonth,
    "D1 rows written": hour.rowsWritten * hoursAMonth,
    "D1 bytes": all(end),
    "object requests": objectRequests,
    "object GB-s": objectRequests * HABITS.objectSecondsPerRequest * HABITS.objectGb,
    // Limits, open sockets and squares: about one row in two calls.
    "object rows written": objectRequests / 2,
    "R2 bytes": accountsOn(DAYS, members) * HABITS.picturesPerAccount * HABITS.bytesPerPicture,
    "R2 writes": transformations,
    "R2 reads": TIMES_AN_HOUR["a picture"] * hoursAMonth,
    transformations,
    "queue operations": 3 * hoursAMonth * newsAnHour,
    mails: members * HABITS.mailsAMonth,
  };
  const dollars = dollarsOf(amounts);
  const [tripsPerSecond, writesPerSecond] = [perSecond(hour.trips), perSecond(hour.writes)];
  const { databaseBytes, accountBytes, queriesPerSecond, queueMessagesPerSecond } = LIMITS;
  /** A load above its limit in the busiest second is reached on the first day. */
  const peak = (name: string, load: number): Bottleneck => ({ name, load, day: load > 1 ? 1 : undefined });
  const fills = (name: string, bytesOf: typeof all): Bottleneck => {
    const index = growth.findIndex((bytes) => bytesOf(bytes) > databaseBytes);
    return { name, load: bytesOf(end) / databaseBytes, day: index < 0 ? undefined : index + 1 };
  };
  const bottlenecks = [
    fills("bytes of the database, were messages in it", all),
    fills("bytes of the main database", main),
    peak("round trips to the database, busiest second", tripsPerSecond / queriesPerSecond),
    peak("writes to the database, busiest second", writesPerSecond / queriesPerSecond),
    peak("bytes of all databases of the account", all(end) / accountBytes),
    peak("messages of the queue, busiest second", perSecond(newsAnHour) / queueMessagesPerSecond),
  ];
  return {
    members,
    concurrentMembers,
    tripsPerSecond,
    writesPerSecond,
    amounts,
    dollars,
    dollarsAMonth: PLAN_DOLLARS + sum(Object.values(dollars)),
    bytes: end,
    messageBytes: MONTHS_SHOWN.map((month) => ({
      month,
      bytes: growth[Math.min(month * MONTH_DAYS, DAYS) - 1]!.message,
    })),
    bottlenecks: bottlenecks.sort((a, b) => (a.day ?? DAYS + 1) - (b.day ?? DAYS + 1) || b.load - a.load),
  };
}

function costOfAnHour(members: number, { actions, map }: Measured, town: TownModel) {
  const seen = town.membersInSquare(members, map.pageMax);
  const total = { requests: 0, trips: 0, rowsRead: 0, rowsWritten: 0, writes: 0 };
  for (const [name, times] of Object.entries(TIMES_AN_HOUR) as [ActionName, number][]) {
    const cost = actions[name];
    total.requests += times * cost.requests;
    total.trips += times * cost.trips;
    total.rowsRead += times * (cost.rowsRead + (name === "the map's members" ? seen * map.rowsPerMember : 0));
    total.rowsWritten += times * cost.rowsWritten;
    if (WRITES.includes(name)) total.writes += times;
  }
  return total;
}

/** The number of monthly members is constant, while accounts grow each day. */
const accountsOn = (day: number, members: number) => members * (1 + ((HABITS.accountsPerMember - 1) * day) / DAYS);

function storedOn(day: number, members: number, stored: Stored): Record<keyof Stored, number> {
  const accounts = accountsOn(day, members);
  const kept = (kind: keyof Stored, anHour: number) =>
    members * dailyShare * hoursADay * anHour * Math.min(day, stored[kind].daysKept ?? day) * stored[kind].bytes;
  return {
    account: accounts * stored.account.bytes,
    message: kept("message", TIMES_AN_HOUR["send a message"]),
    like: kept("like", TIMES_AN_HOUR.like * HABITS.likeKept),
    notification: kept("notification", TIMES_AN_HOUR.like),
    picture: accounts * HABITS.picturesPerAccount * stored.picture.bytes,
  };
}
