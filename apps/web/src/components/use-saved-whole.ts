import { hashKey, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { onClearLocalData } from "../device/clear-local-data.ts";

type Change<Data> = (known: Data) => Data;

/** What was pressed and is not saved yet, by the hash of its query. Outlives the screen. */
const unsaved = createStore<Readonly<Record<string, readonly unknown[]>>>(() => ({}));
const lastSaves = new Map<string, Promise<unknown>>();
onClearLocalData(() => unsaved.setState({}, true));

const changesOf = <Data>(hash: string) => (unsaved.getState()[hash] ?? []) as readonly Change<Data>[];

/** What the server has, with what was pressed since. */
export const shownWhole = <Data>(queryKey: QueryKey, known: Data, changes = changesOf<Data>(hashKey(queryKey))): Data =>
  changes.reduce((data, change) => change(data), known);

/**
 * Saves a change of what a query reads and every save sends as a whole. The query's data stay what the server has: until a change is saved
 * it lies on top of them, so that no answer and no refetch, however late, takes it away. Changes are sent one at a time, in their order.
 *
 * @param send gets what the server has before; returns what it has then, or undefined if it does not say
 * @returns whether nothing waits any more
 */
export async function saveWhole<Data>(
  client: QueryClient,
  queryKey: QueryKey,
  change: Change<Data>,
  send: (known: Data) => Promise<Data | undefined>,
): Promise<boolean> {
  const hash = hashKey(queryKey);
  unsaved.setState({ [hash]: [...changesOf<Data>(hash), change] });
  const remove = () => unsaved.setState({ [hash]: changesOf<Data>(hash).filter((other) => other !== change) });
  const save = async () => {
    try {
      const known = client.getQueryData<Data>(queryKey);
      if (known === undefined) throw new Error("nothing is known that could be changed");
      const saved = await send(known);
      // What was asked before this answer may be older than it.
      await client.cancelQueries({ queryKey });
      client.setQueryData<Data>(queryKey, (latest) => saved ?? (latest && change(latest)));
    } finally {
      remove();
    }
  };
  const saving = (lastSaves.get(hash) ?? Promise.resolve()).then(save);
  const settled = saving.catch(() => undefined);
  lastSaves.set(hash, settled);
  try {
    await saving;
  } catch (error) {
    // The call may have been carried out nevertheless.
    void client.invalidateQueries({ queryKey, exact: true });
    throw error;
  } finally {
    if (lastSaves.get(hash) === settled) lastSaves.delete(hash);
  }
  return !lastSaves.has(hash);
}

/** @param data what the query has read; the first result is that with all that is not saved yet, and the second saves a change */
export function useSavedWhole<Data>(queryKey: QueryKey, data: Data | undefined) {
  const client = useQueryClient();
  const hash = hashKey(queryKey);
  const changes = useStore(unsaved, (all) => all[hash]) as readonly Change<Data>[] | undefined;
  const save = (change: Change<Data>, send: (known: Data) => Promise<Data | undefined>) =>
    saveWhole(client, queryKey, change, send);
  return [
    data === undefined ? undefined : shownWhole(queryKey, data, changes ?? []),
    save,
    Boolean(changes?.length),
  ] as const;
}
