/** Health metrics of the site: counts of calls and work for all brands together, without personal data. */
import { z } from "zod";
import { Time } from "./primitives.ts";

/** Alerts sent to the operator; each has a section in docs/OPERATIONS.md. */
export const Alert = z.enum([
  /** Many responses are server errors. */
  "errors",
  /** Responses are slow. */
  "slow",
  /** The database doesn't respond. */
  "database",
  /** The database approaches its size limit. */
  "database-size",
  /** All message databases approach the size at which they accept no new conversations. */
  "message-databases",
  /** Cron jobs do not run. */
  "schedule",
  /** Cron jobs fail. */
  "jobs",
  /** Mails are rejected. */
  "mail",
  /** Pushes are delayed in the queue. */
  "queue",
  /** Pushes were given up after retries. */
  "dead-letters",
  /** Pictures can't be processed. */
  "images",
  /** Half of a day's image transformations are used up. */
  "image-budget",
  /** Garbage collection refused to delete pictures, or the bucket belongs to another database. */
  "bucket",
  /** Pictures or recordings that rows name are gone from the bucket. */
  "missing-objects",
  /** A route refuses every request of one browser engine, and answers the others. */
  "denied-route",
  /** There is no recent backup. */
  "backup",
]);
export type Alert = z.infer<typeof Alert>;

/** Parts of the site whose failure members would notice. */
export const COMPONENTS = ["site", "mail", "notifications", "pictures"] as const;
export type Component = (typeof COMPONENTS)[number];

/** The component that the page /status shows for an alert; the other alerts are only visible to the operator. */
export const COMPONENT_OF_ALERT: Readonly<Partial<Record<Alert, Component>>> = {
  errors: "site",
  slow: "site",
  database: "site",
  schedule: "site",
  mail: "mail",
  queue: "notifications",
  "dead-letters": "notifications",
  images: "pictures",
  "missing-objects": "pictures",
};

const count = z.number().int();

export const HealthPoint = z.object({
  ts: Time,
  requests: count,
  errors: count,
  refused: count,
  /** Response times in milliseconds; null without requests. */
  p50: z.number().nullable(),
  p99: z.number().nullable(),
  /** The same of pictures, recordings and exports, which take longer. */
  bytesP90: z.number().nullable(),
  rowsRead: count,
  rowsWritten: count,
  mailsSent: count,
  mailsRefused: count,
  pushesQueued: count,
  pushesHandled: count,
  deadLetters: count,
  socketsOpened: count,
  socketsClosed: count,
  /** Approximate maximum at one time. A deployment closes all sockets and restarts the count. */
  socketsOpen: count,
  jobsFailed: count,
  queueAgeMs: count,
  /** Null in a step in which nobody measured it. */
  databaseBytes: count.nullable(),
  messageBytes: z.array(z.object({ number: count, bytes: count })),
});
export type HealthPoint = z.infer<typeof HealthPoint>;

export const Incident = z.object({
  alert: Alert,
  tsFrom: Time,
  /** null while it lasts. */
  tsUntil: Time.nullable(),
  /** Whether the operator was notified. */
  told: z.boolean(),
});
export type Incident = z.infer<typeof Incident>;

export const HEALTH_RANGES = ["day", "month"] as const;
export type HealthRange = (typeof HEALTH_RANGES)[number];

export const SiteHealth = z.object({
  range: z.enum(HEALTH_RANGES),
  /** One point per 15 minutes for a day, per 6 hours for a month. */
  points: z.array(HealthPoint),
  incidents: z.array(Incident),
  databaseBytesMax: count,
  /** Whether an address for alerts is configured. */
  operatorKnown: z.boolean(),
});
export type SiteHealth = z.infer<typeof SiteHealth>;
