/** Tells the operator: by mail, and as a push through a service of their choice, since mail may be what is broken. */
import { BRANDS, type Brand } from "@lambda/brands";
import type { Env } from "../env.ts";
import { logFault } from "../log.ts";
import type { OpenIncident } from "../objects.ts";

/** A push service must not hold up the watching. */
const PUSH_TIMEOUT_MS = 10_000;

/** What each alert says of itself; what to do stands under its name in docs/OPERATIONS.md. */
const SAYS: Readonly<Record<OpenIncident["alert"], string>> = {
  errors: "Many answers are faults",
  slow: "Answers take longer than five seconds",
  database: "The database does not answer",
  "database-size": "A database is over 7 GB of its 10",
  "message-databases": "All databases for messages are over 3 GB: add one",
  schedule: "The clock has not run for ten minutes",
  jobs: "Jobs of the clock fail",
  mail: "Mails are refused",
  queue: "Pushes wait longer than five minutes",
  "dead-letters": "Pushes were given up",
  images: "Pictures cannot be taken in",
  bucket: "A sweep refused to remove pictures, or the bucket belongs to another database",
  backup: "There is no backup of the last day and a half",
};

export function isOperatorKnown({
  ALERT_ADDRESS,
  ALERT_PUSH_URL,
}: Pick<Env, "ALERT_ADDRESS" | "ALERT_PUSH_URL">): boolean {
  return Boolean(ALERT_ADDRESS || ALERT_PUSH_URL);
}

/** Whether it arrived by any way. */
export async function tellOperator(env: Env, incidents: readonly OpenIncident[]): Promise<boolean> {
  const lines = incidents.map(
    ({ alert, until }) => `${until === null ? "" : "Over: "}${SAYS[alert]} (OPERATIONS.md, Alert: ${alert})`,
  );
  const [brand] = BRANDS as readonly [Brand, ...Brand[]];
  const ways = await Promise.allSettled([mailOperator(env, brand, lines), pushToOperator(env, brand, lines)]);
  for (const way of ways) if (way.status === "rejected") logFault({ event: "alert" }, way.reason);
  return ways.some((way) => way.status === "fulfilled" && way.value);
}

/** Past the mails that wait in the database: that may be what does not answer. */
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

/** A POST of plain text, as ntfy and others take it. */
async function pushToOperator({ ALERT_PUSH_URL }: Env, brand: Brand, lines: readonly string[]): Promise<boolean> {
  if (!ALERT_PUSH_URL) return false;
  const answer = await fetch(ALERT_PUSH_URL, {
    method: "POST",
    headers: { "content-type": "text/plain", title: brand.name },
    body: lines.join("\n"),
    redirect: "manual",
    signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`timed out or refused: ${answer.status}`);
  return true;
}
