import { useSyncExternalStore } from "react";

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

const memory = new Map<string, unknown>();
const listeners = new Set<() => void>();

export function readDevice<Value>(key: DeviceKey<Value>): Value {
  if (!memory.has(key.name)) memory.set(key.name, load(key.name));
  const value = memory.get(key.name);
  return key.accepts(value) ? value : key.fallback;
}

export function writeDevice<Value>(key: DeviceKey<Value>, value: Value): void {
  memory.set(key.name, value);
  try {
    localStorage.setItem(key.name, JSON.stringify(value));
  } catch {
    // The value then lives as long as the page.
  }
  announce();
}

/** A device value that redraws whoever uses it, in this tab and in others. */
export function useDevice<Value>(key: DeviceKey<Value>): readonly [Value, (value: Value) => void] {
  const read = () => readDevice(key);
  // A page that the build drew knows no device: it begins with what holds without a choice.
  const value = useSyncExternalStore(subscribeDevice, read, () => key.fallback);
  return [value, (next) => writeDevice(key, next)];
}

export function subscribeDevice(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The names of all that local storage holds, whoever put it there. */
export function keptNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** Forgets what this origin keeps in local storage, but for these names; when none is kept, session storage too. */
export function clearDevice(kept: readonly string[]): void {
  for (const name of memory.keys()) if (!kept.includes(name)) memory.delete(name);
  try {
    for (const name of keptNames()) if (!kept.includes(name)) localStorage.removeItem(name);
    if (kept.length === 0) sessionStorage.clear();
  } catch {
    // Nothing could be stored, so nothing is left.
  }
  announce();
}

function load(name: string): unknown {
  try {
    const text = localStorage.getItem(name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function announce(): void {
  for (const listener of listeners) listener();
}

// Absent where logic is tested without a browser.
globalThis.window?.addEventListener("storage", (event) => {
  if (event.key === null) memory.clear();
  else memory.delete(event.key);
  announce();
});
