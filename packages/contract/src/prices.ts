/**
 * Prices (US dollars per month) and limits of the platform's paid plan, from developers.cloudflare.com on 2026-11-22: "Pricing" and
 * "Limits" of Workers, D1, Durable Objects, R2, Images, Queues and Email Service. Check them again before relying on them.
 */
export interface Price {
  /** Monthly amount included in the plan. */
  readonly included: number;
  readonly dollars: number;
  /** The amount that `dollars` pays for. */
  readonly per: number;
}

const MILLION = 1e6;
export const GB = 1e9;
export const PLAN_DOLLARS = 5;

export const PRICES = {
  "worker requests": { included: 10 * MILLION, dollars: 0.3, per: MILLION },
  "worker CPU, ms": { included: 30 * MILLION, dollars: 0.02, per: MILLION },
  "log lines": { included: 20 * MILLION, dollars: 0.6, per: MILLION },
  "D1 rows read": { included: 25_000 * MILLION, dollars: 0.001, per: MILLION },
  "D1 rows written": { included: 50 * MILLION, dollars: 1, per: MILLION },
  "D1 bytes": { included: 5 * GB, dollars: 0.75, per: GB },
  "object requests": { included: MILLION, dollars: 0.15, per: MILLION },
  "object GB-s": { included: 400_000, dollars: 12.5, per: MILLION },
  /** Setting an alarm writes one. */
  "object rows written": { included: 50 * MILLION, dollars: 1, per: MILLION },
  "R2 bytes": { included: 10 * GB, dollars: 0.015, per: GB },
  "R2 writes": { included: MILLION, dollars: 4.5, per: MILLION },
  "R2 reads": { included: 10 * MILLION, dollars: 0.36, per: MILLION },
  transformations: { included: 5000, dollars: 0.5, per: 1000 },
  "queue operations": { included: MILLION, dollars: 0.4, per: MILLION },
  mails: { included: 3000, dollars: 0.35, per: 1000 },
} as const satisfies Record<string, Price>;

export type Billed = keyof typeof PRICES;

export const LIMITS = {
  /** Per database; cannot be raised. */
  databaseBytes: 10 * GB,
  /** All databases of an account; can be raised on request. */
  accountBytes: 1000 * GB,
  /** D1 uses a single thread: about 1,000 queries per second at a millisecond each. */
  queriesPerSecond: 1000,
  queueMessagesPerSecond: 5000,
} as const;

export function dollarsOf(amounts: Readonly<Record<Billed, number>>): Record<Billed, number> {
  return Object.fromEntries(
    Object.entries(PRICES).map(([name, { included, dollars, per }]) => [
      name,
      (Math.max(0, amounts[name as Billed] - included) / per) * dollars,
    ]),
  ) as Record<Billed, number>;
}

/** Millionths of a dollar for an amount beyond what the plan includes. */
export function microdollarsOf(name: Billed, amount = 1): number {
  const { dollars, per } = PRICES[name];
  return (amount * dollars * MILLION) / per;
}
