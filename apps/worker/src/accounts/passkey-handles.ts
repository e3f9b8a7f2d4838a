/**
 * The handle by which devices know the owner of a passkey: one for all passkeys of an account, random, and meaningless to other members. It
 * was a code of the account's number before it was stored, which devices still have.
 */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { openDatabase } from "../platform/db/database.ts";
import type { AccountRow } from "../platform/db/tables.ts";
import type { Env } from "../platform/env.ts";
import { type Keys, macs } from "../platform/keys.ts";

const HANDLE_BYTES = 32;
/** Keeps a run's JSON within D1's limits. */
const CHUNK_ACCOUNTS_MAX = 500;

export type HandleOwner = Pick<AccountRow, "id" | "passkey_handle">;

export const newHandle = (): string => randomBytes(HANDLE_BYTES).toString("base64url");

/** The handle for the account's next passkey. */
export const handleOf = (env: Keys, owner: HandleOwner): string => handlesOf(env, owner).at(-1)!;

/** The handles that the account's passkeys may have; once one is stored, only that. */
export function handlesOf(env: Keys, { id, passkey_handle }: HandleOwner): string[] {
  if (passkey_handle !== null) return [passkey_handle];
  return macs(env, "passkey-user", `${id}`).map((code) => code.toString("base64url"));
}

/** Scheduled: stores the handles of accounts from before they were stored, so that their passkeys survive the key. */
export async function storeHandles(env: Env, rows: number): Promise<boolean> {
  const db = openDatabase(env.DB);
  const limit = Math.min(rows, CHUNK_ACCOUNTS_MAX);
  const due = await db
    .selectFrom("account")
    .select(["id", "passkey_handle"])
    .where("passkey_handle", "is", null)
    .limit(limit)
    .execute();
  if (due.length === 0) return false;
  const handles = due.map((owner) => ({ id: owner.id, handle: handleOf(env, owner) }));
  await db
    .updateTable("account")
    .from(sql<{ value: string }>`json_each(${JSON.stringify(handles)})`.as("j"))
    .set({ passkey_handle: sql<string>`j.value ->> 'handle'` })
    .where("account.id", "=", sql<number>`j.value ->> 'id'`)
    .where("account.passkey_handle", "is", null)
    .execute();
  return due.length === limit;
}
