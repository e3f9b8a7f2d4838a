/** Notifies the operator by mail and by a push service of their choice, since mail itself may be broken. */
import { BRANDS, type Brand } from "@lambda/brands";
import type { Env } from "../env.ts";
import { logFault } from "../log.ts";
import type { OpenIncident } from "../objects.ts";

/** A slow push service must not delay the checks. */
const PUSH_TIMEOUT_MS = 10_000;

/** The text of each alert; docs/OPERATIONS.md says what to do under the alert's name. */
const ALERT_TEXTS: Readonly<Record<OpenIncident["alert"], string>> = {
  errors: "Many responses are errors",
  slow: "Responses take longer than five seconds",
  database: "The database does not respond",
  "database-size": "A database is over 7 GB of its 10",
  "message-databases": "All message databases are over 3 GB: add one",
  schedule: "The cron has not run for ten minutes",
  jobs: "Scheduled jobs fail",
  mail: "Mails are refused",
  queue: "Pushes wait longer than five minutes",
  "dead-letters": "Pushes were given up",
  images: "Picture uploads fail",
  "image-budget": "Half of the image transformations of a day are used up",
  bucket:
    "Pictures are gone from the bucket (npm run recover -- pictures), a sweep refused to remove some, or the bucket belongs to another database",
  "missing-objects": "Pictures or recordings are gone from the bucket (npm run recover -- pictures)",
  "denied-route": "A route refuses every request of one browser engine",
  backup: "There is no backup from the last day and a half",
};

/** Returns whether at least one channel succeeded. */
export async function notifyOperator(env: Env, incidents: readonly OpenIncident[]): Promise<boolean> {
  const lines = incidents.map(
    ({ alert, detail, until }) =>
      `${until === null ? "" : "Over: "}${ALERT_TEXTS[alert]}${detail ? `: ${detail}` : ""} (OPERATIONS.md, Alert: ${alert})`,
  );
  const [brand] = BRANDS as readonly [Brand, ...Brand[]];
  const results = await Promise.allSettled([mailOperator(env, brand, lines), pushToOperator(env, brand, lines)]);
  for (const result of results) if (result.status === "rejected") logFault({ event: "alert" }, result.reason);
  return results.some((result) => result.status === "fulfilled" && result.value);
}

/** Does not queue retries in the database, which may be what has failed. */
async function mailOperator({ MAIL, ALERT_ADDRESS }: Env, brand: Brand, lines: readonly string[]): Promise<boolean> {
  if (!ALERT_ADDRESS) return false;
  const [first = ""] = lines;
  const text = [...lines, "", `https://${brand.hosts[0]}/dashboard?section=health`].join("\n");
  await MAIL.send({
    from: { email: brand.senderAddress, name: brand.name },
    to: ALERT_ADDRESS,
    subject: lines.length === 1 ? first : `${first}, and ${lines.length - 1} more`,
    text,
  });
  return true;
}

/** A POST of plain text, as ntfy and similar services accept. */
async function pushToOperator({ ALERT_PUSH_URL }: Env, brand: Brand, lines: readonly string[]): Promise<boolean> {
  if (!ALERT_PUSH_URL) return false;
  const response = await fetch(ALERT_PUSH_URL, {
    method: "POST",
    headers: { "content-type": "text/plain", title: brand.name },
    body: lines.join("\n"),
    redirect: "manual",
    signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`timed out or refused: ${response.status}`);
  return true;
}
