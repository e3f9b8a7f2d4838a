import type { Compiled } from "../../../platform/db/batch.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Env } from "../../../platform/env.ts";
import { labeledMac } from "../../../platform/mac.ts";
import type { StoredPicture } from "../store.ts";
import { readOriginal } from "./stored-looks.ts";

/** A keyed hash of a picture's bytes. Unlike what it looks like, they cannot be made equal to another's. */
export async function digestOf(env: Env, bytes: Uint8Array): Promise<string> {
  const sha256 = await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes));
  return labeledMac(env, "picture-exemption", new Uint8Array(sha256)).toString("base64url");
}

/** For the batch in which staff find a stored picture to be no copy of a known one: its bytes never match again for this member. */
export async function exemptQueries(
  { env, db, now }: { readonly env: Env; readonly db: Database; readonly now: number },
  picture: StoredPicture,
): Promise<Compiled[]> {
  const bytes = await readOriginal(env, picture);
  if (!bytes) return [];
  const exemption = { profile_id: picture.profile_id, digest: await digestOf(env, bytes), ts_created: now };
  return [
    db
      .insertInto("picture_exemption")
      .values(exemption)
      .onConflict((conflict) => conflict.columns(["profile_id", "digest"]).doNothing())
      .compile(),
  ];
}
