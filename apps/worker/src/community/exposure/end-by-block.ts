/**
 * A block ends the health notices that wait between two members. Nothing stored names a sender; a keyed hash tells, for one
 * notice and one pair of members that somebody already has in hand, whether the one sent it to the other.
 */
import { createHmac } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Env } from "../../platform/env.ts";

/** What is stored with a waiting notice: without the key it says nothing, and the random id makes each one differ. */
export function senderMac(env: Pick<Env, "POSITION_KEY">, id: string, sender: number, recipient: number): string {
  return createHmac("sha256", env.POSITION_KEY).update(`exposure:${id}:${sender}:${recipient}`).digest("base64url");
}

/** The queries that delete what waits between two members, either way; for the batch of a block. */
export async function endNoticesQueries(
  { db, env }: Pick<Context, "db" | "env">,
  one: number,
  other: number,
): Promise<Compiled[]> {
  const waiting = await db
    .selectFrom("exposure_notice")
    .select(["id", "recipient_id", "sender_mac"])
    .where("recipient_id", "in", [one, other])
    .execute();
  const between = waiting.filter(({ id, recipient_id: recipient, sender_mac }) => {
    const sender = recipient === one ? other : one;
    return sender_mac === senderMac(env, id, sender, recipient);
  });
  return between.map(({ id }) => db.deleteFrom("exposure_notice").where("id", "=", id).compile());
}
