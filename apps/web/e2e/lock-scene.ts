/** Steps of a member who uses the app lock. */
import type { Page } from "playwright-core";
import { clickButton } from "./page-actions.ts";

export const PIN = "7294";
export const SECOND_PIN = "8305";

export const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

export async function turnOnLock(page: Page): Promise<void> {
  await page.goto("/settings#lock");
  await clickButton(page, "Turn the lock on");
  const sheet = page.getByRole("dialog");
  await field(page, "New PIN").fill(PIN);
  await field(page, "Repeat the PIN").fill(PIN);
  await page.evaluate(simulateSlowDevice);
  await sheet.getByRole("button", { name: "Turn the lock on" }).click();
  // The sheet closes when everything is sealed.
  await sheet.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Lock now" }).waitFor();
}

/**
 * Delays the calibration, so that the lock takes the fewest PBKDF2 rounds it allows. Each PIN would otherwise cost what
 * a fast device manages in 0.7 s.
 */
export function simulateSlowDevice(): void {
  const { deriveBits } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.deriveBits = async function (...args) {
    SubtleCrypto.prototype.deriveBits = deriveBits;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return deriveBits.apply(this, args);
  };
}

export async function enterPin(page: Page, pin: string): Promise<void> {
  await field(page, "PIN").fill(pin);
  await clickButton(page, "Open");
}

/** Sets a second PIN, which needs a fresh login, and locks the device. Calls `onChange` after each change of the lock. */
export async function setSecondPin(
  page: Page,
  note = "",
  onChange: () => Promise<void> = async () => {},
): Promise<void> {
  await turnOnLock(page);
  await onChange();
  await clickButton(page, "Set a second PIN");
  await field(page, "Your PIN").fill(PIN);
  await field(page, "Second PIN").fill(SECOND_PIN);
  await field(page, "Repeat the PIN").fill(SECOND_PIN);
  await field(page, "A first note to show there (optional)").fill(note);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await onChange();
  await page.goto("/");
  await page.getByRole("heading", { name: "Locked" }).waitFor();
}

/**
 * Reads local storage, session storage and all IndexedDB databases as text: what a script or a reader of the disk would
 * find.
 */
export function readBrowserStorage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name ?? "");
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of database.objectStoreNames) {
        const objectStore = database.transaction(store).objectStore(store);
        const [keys, values] = [objectStore.getAllKeys(), objectStore.getAll()];
        await new Promise((resolve) => (objectStore.transaction.oncomplete = resolve));
        const plain = values.result.map((value) =>
          value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
        );
        found.push(JSON.stringify([name, keys.result, plain]));
      }
      database.close();
    }
    return found.join("\n");
  });
}
