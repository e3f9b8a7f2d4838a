import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { textStorage } from "./vault.ts";

/**
 * A typed key of local storage, never for notes, messages, pictures or anything about another member. If storage is full or forbidden,
 * a value lasts as long as the page.
 */
export interface DeviceKey<Value> {
  readonly name: string;
  readonly fallback: Value;
  readonly isValid: (value: unknown) => boolean;
}

/** @param isValid rejects values from an older version or edited by hand, which the fallback replaces */
export const deviceKey = <Value>(
  name: string,
  fallback: Value,
  isValid: (value: unknown) => boolean,
): DeviceKey<Value> => ({ name, fallback, isValid });

const stores = new Map<string, StoreApi<unknown>>();

function getStore(name: string): StoreApi<unknown> {
  const existing = stores.get(name);
  if (existing) return existing;
  // The initial state must match the prerendered page, which knows nothing of the device.
  const store = createStore<unknown>(() => undefined);
  store.setState(load(name), true);
  stores.set(name, store);
  return store;
}

function validValue<Value>(key: DeviceKey<Value>, stored: unknown): Value {
  return key.isValid(stored) ? (stored as Value) : key.fallback;
}

export const readDeviceValue = <Value>(key: DeviceKey<Value>): Value => validValue(key, getStore(key.name).getState());

export function writeDeviceValue<Value>(key: DeviceKey<Value>, value: Value): void {
  try {
    textStorage(key.name).setItem(key.name, JSON.stringify(value));
  } catch {
    // The value lasts as long as the page.
  }
  getStore(key.name).setState(value, true);
}

/** A stored value and its setter. Rerenders on changes from this tab and others. */
export function useDeviceValue<Value>(key: DeviceKey<Value>): readonly [Value, (value: Value) => void] {
  const value = useStore(getStore(key.name), (stored) => validValue(key, stored));
  return [value, (next) => writeDeviceValue(key, next)];
}

/** Calls `listener` after each change of a value; returns the unsubscribe function. */
export function subscribeDeviceValue({ name }: { readonly name: string }, listener: () => void): () => void {
  return getStore(name).subscribe(listener);
}

/** All keys in local storage, including those of other code. */
export function storedNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** Clears these keys of local storage, and of session storage if requested. */
export function clearDeviceStorage(isCleared: (name: string) => boolean, clearsSession: boolean): void {
  try {
    for (const name of storedNames().filter(isCleared)) textStorage(name).removeItem(name);
    if (clearsSession)
      for (const name of Object.keys(sessionStorage).filter(isCleared)) sessionStorage.removeItem(name);
  } catch {
    // Storage is unavailable, so nothing is stored.
  }
  for (const [name, store] of stores) if (isCleared(name)) store.setState(undefined, true);
}

function load(name: string): unknown {
  try {
    const text = textStorage(name).getItem(name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// There is no window in unit tests.
globalThis.window?.addEventListener("storage", ({ key }) => {
  for (const [name, store] of stores) if (key === null || key === name) store.setState(load(name), true);
});
