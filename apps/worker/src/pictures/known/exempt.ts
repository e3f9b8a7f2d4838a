import type { Query } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { macs } from "../../platform/keys.ts";
import type { StoredPicture } from "../store.ts";
import { readOriginal } from "./stored-looks.ts";

/**
 * Keyed hashes of a picture's bytes, the newest key's first. Unlike what it looks like, they cannot be made equal to another's.
 */
export async function digestsOf(env: Env, bytes: Uint8Array): Promise<[string, ...string[]]> {
  const sha256 = await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes));
  const [newest, ...older] = macs(env, "picture-exemption", new Uint8Array(sha256));
  return [newest.toString("base64url"), ...older.map((code) => code.toString("base64url"))];
}

/** For the batch in which staff find a stored picture to be no copy of a known one: its bytes never match again for this member. */
export async function exemptQueries(
  { env, db, now }: { readonly env: Env; readonly db: Database; readonly now: number },
  picture: StoredPicture,
): Promise<Query[]> {
  const bytes = await readOriginal(env, picture);
  if (!bytes) return [];
  const exemption = { profile_id: picture.profile_id, digest: (await digestsOf(env, bytes))[0], ts_created: now };
  return [
    db
      .insertInto("picture_exemption")
      .values(exemption)
      .onConflict((conflict) => conflict.columns(["profile_id", "digest"]).doNothing()),
  ];
}
