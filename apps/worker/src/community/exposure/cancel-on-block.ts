/**
 * A block cancels health notices waiting between the two members. No sender is stored, but a keyed hash makes it possible to check whether
 * one given member sent a notice to another.
 */
import type { Context } from "../../platform/context.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Env } from "../../platform/env.ts";
import { hmacSha256 } from "../../platform/mac.ts";

/** The keyed hash stored with a waiting notice: it reveals nothing without the key, and the random id makes each one different. */
export function senderMac(env: Pick<Env, "POSITION_KEY">, id: string, sender: number, recipient: number): string {
  return hmacSha256(env.POSITION_KEY, `exposure:${id}:${sender}:${recipient}`).toString("base64url");
}

/** Queries, for a block's batch, that delete the notices waiting between two members in either direction. */
export async function cancelNoticesQueries(
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
