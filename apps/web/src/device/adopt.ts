import { entries } from "idb-keyval";
import { MEMBER_DATABASES } from "./databases.ts";
import { databaseStore, storedName, writeStored } from "./member-store.ts";
import type { Sealer } from "./sealer.ts";
import type { Vault } from "./vault.ts";
import { DATABASE_WAIT_MS, withDeadline } from "./with-deadline.ts";

/** Seals what older keys have sealed, or nobody, unless there is a newer entry; removes what nobody can read. */
export async function adopt({ sealer }: Vault, older: readonly Sealer[]): Promise<void> {
  for (const database of MEMBER_DATABASES) {
    const store = databaseStore(database);
    const stored = await withDeadline(DATABASE_WAIT_MS, () => entries<string, unknown>(store));
    const names = new Set(stored.map(([name]) => name));
    const changes: (readonly [string, unknown])[] = [];
    for (const [name, value] of stored) {
      if (await canOpen(sealer, value)) continue;
      changes.push([name, undefined]);
      const found = await openOlder(name, value, older);
      if (!found) continue;
      const next = await storedName(sealer, database, found.name);
      if (next === name || !names.has(next)) changes.push([next, await sealer.seal(found)]);
    }
    if (changes.length > 0) await withDeadline(DATABASE_WAIT_MS, () => writeStored(store, changes));
  }
}

const canOpen = (sealer: Sealer, value: unknown) =>
  value instanceof Uint8Array
    ? sealer.open(value).then(
        () => true,
        () => false,
      )
    : false;

async function openOlder(name: string, value: unknown, older: readonly Sealer[]) {
  if (!(value instanceof Uint8Array)) return { name, value };
  for (const { open } of older) {
    const found = await open(value).catch(() => undefined);
    if (found) return found as { name: string; value: unknown };
  }
  return undefined;
}
