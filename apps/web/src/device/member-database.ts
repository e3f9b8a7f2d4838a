import { clear, entries, get } from "idb-keyval";
import { databaseStore, openMemberStore, storedName, writeStored } from "./member-store.ts";
import { appLock, type Vault } from "./vault.ts";
import { DATABASE_WAIT_MS, DeadlinePassed, withDeadline } from "./with-deadline.ts";

export interface MemberDatabase {
  /** Undefined if there is no such entry; rejects when storage fails. */
  get<Value>(name: string): Promise<Value | undefined>;
  /** The values of all entries whose names begin with `prefix`, in no particular order; rejects when storage fails. */
  list<Value>(prefix: string): Promise<Value[]>;
  /**
   * Writes all entries, in the order of the calls; undefined deletes one. The write begins and commits at once, so that it survives the
   * page's unload, for names that were read before and random ones.
   */
  writeAll(entries: readonly (readonly [name: string, value: unknown])[]): Promise<void>;
  clear(): Promise<void>;
}

interface Entry {
  readonly name: string;
  readonly value: unknown;
}

/**
 * A database of member data on this device. Its values and names are encrypted. A browser whose databases do not answer delays only the
 * first call; later ones reject at once until it answers. Writes take effect in their order nevertheless.
 */
export function memberDatabase(database: string): MemberDatabase {
  const getStore = () => databaseStore(database);
  /** A write that is not ready, for which all later ones wait. */
  let unready: Promise<unknown> | undefined;

  const write = ({ sealer, track }: Vault, changes: readonly (readonly [string, unknown])[]) => {
    const names = changes.map(([name]) => storedName(sealer, database, name));
    const values = changes.map(([name, value]) => (value === undefined ? undefined : sealer.seal({ name, value })));
    const isReady = [...names, ...values].every((part) => !(part instanceof Promise));
    const store = (ready: readonly string[], sealed: readonly unknown[]) =>
      writeStored(
        getStore(),
        ready.map((name, index) => [name, sealed[index]] as const),
      );
    const run = async () => store(await Promise.all(names), await Promise.all(values));
    if (isReady && !unready) {
      const written = store(names as string[], values);
      track(written);
      return written;
    }
    const written = (unready ?? Promise.resolve()).then(run, run);
    unready = written;
    const end = () => {
      if (unready === written) unready = undefined;
    };
    written.then(end, end);
    track(written);
    return written;
  };

  let isSilent = false;
  const ask = async <Value>(question: () => Promise<Value>): Promise<Value> => {
    try {
      return await withDeadline(isSilent ? 0 : DATABASE_WAIT_MS, question, {
        onLate: () => {
          isSilent = false;
        },
      });
    } catch (error) {
      if (error instanceof DeadlinePassed) isSilent = true;
      throw error;
    }
  };
  const askVault = <Value>(question: (vault: Vault) => Promise<Value>) =>
    ask(() => (appLock.vault ? question(appLock.vault) : openMemberStore().then(question)));

  return {
    get: <Value>(name: string) =>
      askVault(async ({ sealer }) => {
        const stored = await storedName(sealer, database, name);
        const sealed = await get(stored, getStore());
        return sealed === undefined ? undefined : (((await sealer.open(sealed)) as Entry).value as Value);
      }),
    list: <Value>(prefix: string) =>
      askVault(async ({ sealer }) => {
        const stored = await entries<string, unknown>(getStore());
        const opened = await Promise.allSettled(stored.map(([, sealed]) => sealer.open(sealed) as Promise<Entry>));
        return opened.flatMap((result) =>
          result.status === "fulfilled" && result.value.name.startsWith(prefix) ? [result.value.value as Value] : [],
        );
      }),
    writeAll: (changes) => askVault((vault) => write(vault, changes)),
    clear: () => ask(() => clear(getStore())),
  };
}
