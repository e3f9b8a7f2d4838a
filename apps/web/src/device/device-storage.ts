import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { textStorage } from "./vault.ts";

/**
 * What this device remembers in local storage, by typed keys. Never notes, messages, pictures or anything about another
 * member. Storage may be full or forbidden: then a value lives as long as the page.
 */
export interface DeviceKey<Value> {
  readonly name: string;
  readonly fallback: Value;
  /** Refuses what an older version or a curious hand left there. */
  readonly accepts: (value: unknown) => value is Value;
}

const stores = new Map<string, StoreApi<unknown>>();

function storeOf(name: string): StoreApi<unknown> {
  const known = stores.get(name);
  if (known) return known;
  // The initial state is what a prerendered page knows of the device: nothing.
  const store = createStore<unknown>(() => undefined);
  store.setState(load(name), true);
  stores.set(name, store);
  return store;
}

function acceptedValue<Value>(key: DeviceKey<Value>, stored: unknown): Value {
  return key.accepts(stored) ? stored : key.fallback;
}

export function readDevice<Value>(key: DeviceKey<Value>): Value {
  return acceptedValue(key, storeOf(key.name).getState());
}

export function writeDevice<Value>(key: DeviceKey<Value>, value: Value): void {
  try {
    textStorage().setItem(key.name, JSON.stringify(value));
  } catch {
    // The value then lives as long as the page.
  }
  storeOf(key.name).setState(value, true);
}

/** A device value that redraws whoever uses it, in this tab and in others. */
export function useDevice<Value>(key: DeviceKey<Value>): readonly [Value, (value: Value) => void] {
  const value = useStore(storeOf(key.name), (stored) => acceptedValue(key, stored));
  return [value, (next) => writeDevice(key, next)];
}

/** Calls `listener` after each change of a value; returns what ends it. */
export function subscribeDevice({ name }: { readonly name: string }, listener: () => void): () => void {
  return storeOf(name).subscribe(listener);
}

/** The names of all that local storage holds, whoever put it there. */
export function storedNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** Forgets what this origin keeps in local storage, but for these names, and in session storage where that is asked. */
export function clearDevice(keptNames: readonly string[], sessionToo: boolean): void {
  try {
    for (const name of storedNames()) if (!keptNames.includes(name)) textStorage().removeItem(name);
    if (sessionToo) sessionStorage.clear();
  } catch {
    // Nothing could be stored, so nothing is left.
  }
  for (const [name, store] of stores) if (!keptNames.includes(name)) store.setState(undefined, true);
}

function load(name: string): unknown {
  try {
    const text = textStorage().getItem(name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Absent where logic is tested without a browser.
globalThis.window?.addEventListener("storage", ({ key }) => {
  for (const [name, store] of stores) if (key === null || key === name) store.setState(load(name), true);
});
