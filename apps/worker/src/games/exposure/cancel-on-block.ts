/**
 * A block cancels health notices waiting between the two members. No sender is stored, but a keyed hash makes it possible to check whether
 * one given member sent a notice to another.
 */
import type { Context } from "../../platform/context.ts";
import type { Query } from "../../platform/db/database.ts";
import { type Keys, macs } from "../../platform/keys.ts";

/**
 * The keyed hashes that may be stored with a waiting notice, the one for a new notice first: they reveal nothing without the key, and the
 * random id makes each one different.
 */
export function senderMacs(env: Keys, id: string, sender: number, recipient: number): [string, ...string[]] {
  const [newest, ...older] = macs(env, "exposure", `${id}:${sender}:${recipient}`);
  return [newest.toString("base64url"), ...older.map((code) => code.toString("base64url"))];
}

/** Queries, for a block's batch, that delete the notices waiting between two members in either direction. */
export async function cancelNoticesQueries(
  { db, env }: Pick<Context, "db" | "env">,
  one: number,
  other: number,
): Promise<Query[]> {
  const waiting = await db
    .selectFrom("exposure_notice")
    .select(["id", "recipient_id", "sender_mac"])
    .where("recipient_id", "in", [one, other])
    .execute();
  const between = waiting.filter(({ id, recipient_id: recipient, sender_mac }) => {
    const sender = recipient === one ? other : one;
    return senderMacs(env, id, sender, recipient).includes(sender_mac);
  });
  return between.map(({ id }) => db.deleteFrom("exposure_notice").where("id", "=", id));
}
