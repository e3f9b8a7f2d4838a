import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { OWN_CHOICES } from "./own-choices.ts";
import { currentVault } from "./vault.ts";

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
  writeText(key.name, JSON.stringify(value));
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

/** The vault, where a lock is on and this is not one of the device's own choices. */
function vaultOf(name: string) {
  return OWN_CHOICES.includes(name) ? undefined : currentVault();
}

/** What is kept under a name, opened; null for nothing. */
export function readText(name: string): string | null {
  const vault = vaultOf(name);
  return vault ? (vault.texts.get(name) ?? null) : localStorage.getItem(name);
}

/** Keeps a text, sealed where a lock is on; null takes it away. */
export function writeText(name: string, text: string | null): void {
  const vault = vaultOf(name);
  try {
    if (vault) vault.keep(name, text);
    else if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // It then lives as long as the page.
  }
}

/** The names of all that local storage holds, whoever put it there. */
export function storedNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** Forgets what this origin keeps in local storage, but for these names, and session storage too where that is asked. */
export function clearDevice(keptNames: readonly string[], { sessionToo }: { sessionToo: boolean }): void {
  try {
    for (const name of storedNames()) {
      if (keptNames.includes(name)) continue;
      currentVault()?.texts.delete(name);
      localStorage.removeItem(name);
    }
    if (sessionToo) sessionStorage.clear();
  } catch {
    // Nothing could be stored, so nothing is left.
  }
  for (const [name, store] of stores) if (!keptNames.includes(name)) store.setState(undefined, true);
}

function load(name: string): unknown {
  try {
    const text = readText(name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Absent where logic is tested without a browser.
globalThis.window?.addEventListener("storage", ({ key }) => {
  for (const [name, store] of stores) {
    if (key !== null && key !== name) continue;
    const reload = () => store.setState(load(name), true);
    const vault = vaultOf(name);
    if (vault) void vault.reread(name).then(reload);
    else reload();
  }
});
