import type { QuotaName } from "@lambda/contract/quotas";
import { callObject } from "../call-object.ts";
import type { Context } from "../context.ts";
import { quotaExceeded } from "../errors.ts";
import type { Charge, CountedWindow } from "../objects.ts";
import { chargesOf, getLimiter, giveBackQuota } from "./limit.ts";

/** What the members' objects answered last, by the object's name. */
const known = new Map<string, readonly CountedWindow[]>();
const KNOWN_MAX = 10_000;
/** Objects that were not waited for and have not answered yet. */
const unanswered = new Set<string>();

/**
 * Like `spendQuota`, but does not wait for the member's object if its last answer to this isolate left more than half of each quota and no
 * other such call is under way. Each call is counted; one an isolate may go through that others had used up the quota for.
 */
export async function spendQuotaAhead(
  ctx: Pick<Context, "env" | "quotas" | "undo" | "waitUntil">,
  kind: string,
  profileId: number,
  amounts: Partial<Record<QuotaName, number>>,
): Promise<void> {
  const name = `${kind}:${profileId}`;
  const charges = chargesOf(ctx, amounts);
  if (charges.length === 0) return;
  const isAhead = !unanswered.has(name) && isFarFromLimit(known.get(name) ?? [], charges);
  const counted = countCharges(ctx, name, charges);
  if (!isAhead) {
    const refusal = await counted;
    if (refusal) throw quotaExceeded(refusal.name as QuotaName, refusal.waitMs);
    ctx.undo.push(() => giveBackQuota(ctx.env, kind, profileId, amounts));
    return;
  }
  unanswered.add(name);
  ctx.waitUntil(counted.finally(() => unanswered.delete(name)));
  ctx.undo.push(async () => {
    const isCounted = await counted.then(
      (refusal) => refusal === null,
      () => false,
    );
    if (isCounted) await giveBackQuota(ctx.env, kind, profileId, amounts);
  });
}

async function countCharges({ env }: Pick<Context, "env">, name: string, charges: readonly Charge[]) {
  try {
    const { refusal, windows } = await callObject(async () => (await getLimiter(env, name)).charge(charges));
    known.delete(name);
    known.set(name, windows);
    const oldest = known.keys().next().value;
    if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest);
    return refusal;
  } catch (error) {
    known.delete(name);
    throw error;
  }
}

function isFarFromLimit(windows: readonly CountedWindow[], charges: readonly Charge[]): boolean {
  const now = Date.now();
  return charges.every(({ name, amount, max }) => {
    const window = windows.find((counted) => counted.name === name);
    return window !== undefined && (window.ends > now ? window.count : 0) + amount <= max / 2;
  });
}
