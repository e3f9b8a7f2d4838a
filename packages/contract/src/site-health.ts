/** How the site itself does: counts of calls and of work, of all brands together. Nothing of it is about a person. */
import { z } from "zod";
import { Time } from "./primitives.ts";

/** What the operator is told of; each has its section in docs/OPERATIONS.md. */
export const ALERTS = [
  /** Many answers are faults. */
  "errors",
  /** Answers take long. */
  "slow",
  /** The database does not answer. */
  "database",
  /** The database nears the size that it may have. */
  "database-size",
  /** All databases for messages near the size at which they get no new pairs. */
  "message-databases",
  /** The clock does not run. */
  "schedule",
  /** Jobs of the clock fail. */
  "jobs",
  /** Mails are refused. */
  "mail",
  /** Pushes wait long. */
  "queue",
  /** Pushes were given up. */
  "dead-letters",
  /** Pictures cannot be taken in. */
  "images",
  /** A sweep refused to remove pictures, or the bucket belongs to another database. */
  "bucket",
  /** No new backup. */
  "backup",
] as const;
export const Alert = z.enum(ALERTS);
export type Alert = z.infer<typeof Alert>;

/** What a member would notice. */
export const COMPONENTS = ["site", "mail", "notifications", "pictures"] as const;
export type Component = (typeof COMPONENTS)[number];

/** What a member may see of an alert on the page /status; the others are the operator's alone. */
export const COMPONENT_OF: Readonly<Partial<Record<Alert, Component>>> = {
  errors: "site",
  slow: "site",
  database: "site",
  schedule: "site",
  mail: "mail",
  queue: "notifications",
  "dead-letters": "notifications",
  images: "pictures",
};

const count = z.number().int();

export const HealthPoint = z.object({
  ts: Time,
  requests: count,
  errors: count,
  refused: count,
  /** Milliseconds; null where nothing was asked. */
  p50: z.number().nullable(),
  p99: z.number().nullable(),
  rowsRead: count,
  rowsWritten: count,
  mailsSent: count,
  mailsRefused: count,
  pushesQueued: count,
  pushesHandled: count,
  deadLetters: count,
  socketsOpened: count,
  socketsClosed: count,
  /** About: the most at one time. A deployment ends all of them, and begins the count anew. */
  socketsOpen: count,
  jobsFailed: count,
  queueAgeMs: count,
  databaseBytes: count,
  /** Of the databases for messages, by their numbers. */
  messageBytes: z.array(z.object({ number: count, bytes: count })),
});
export type HealthPoint = z.infer<typeof HealthPoint>;

export const Incident = z.object({
  alert: Alert,
  tsFrom: Time,
  /** Null while it lasts. */
  tsUntil: Time.nullable(),
  /** Whether the operator could be told. */
  told: z.boolean(),
});
export type Incident = z.infer<typeof Incident>;

export const HEALTH_RANGES = ["day", "month"] as const;
export type HealthRange = (typeof HEALTH_RANGES)[number];

export const SiteHealth = z.object({
  range: z.enum(HEALTH_RANGES),
  /** A quarter of an hour each for a day, six hours each for a month. */
  points: z.array(HealthPoint),
  incidents: z.array(Incident),
  databaseBytesMax: count,
  /** Whether anybody is told of an incident. */
  operatorKnown: z.boolean(),
});
export type SiteHealth = z.infer<typeof SiteHealth>;
