import type { Page } from "playwright-core";

/**
 * Decrypts what a page without an app lock keeps on the device, with the key of the device: values of local storage by name, and the
 * entries of one of the chat's databases, which the page must have created already.
 */
function readDevice(page: Page, names: readonly string[], database?: string) {
  return page.evaluate(
    async ([texts, chat]) => {
      const readAll = async (name: string) => {
        const opening = indexedDB.open(name);
        await new Promise((resolve, reject) => {
          opening.onsuccess = resolve;
          opening.onerror = () => reject(opening.error);
          opening.onupgradeneeded = () => opening.transaction?.abort();
        });
        const all = opening.result.transaction("keyval").objectStore("keyval").getAll();
        await new Promise((resolve) => (all.transaction!.oncomplete = resolve));
        opening.result.close();
        return all.result as unknown[];
      };
      const [base] = (await readAll("device").catch(() => [])) as CryptoKey[];
      const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode("store") };
      const key =
        base && (await crypto.subtle.deriveKey(hkdf, base, { name: "AES-CTR", length: 256 }, false, ["decrypt"]));
      const open = async (sealed: Uint8Array<ArrayBuffer>) => {
        if (!key) throw new Error("this device has no key");
        const algorithm = { name: "AES-CTR", counter: sealed.subarray(0, 16), length: 32 };
        const plain = new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, sealed.subarray(16)));
        return JSON.parse(plain.slice("sealed.1".length)) as unknown;
      };
      const stored = await Promise.all(
        texts.map(async (name) => {
          const text = localStorage.getItem(name);
          if (!text?.startsWith(".")) return text;
          return (await open(Uint8Array.from(atob(text.slice(1)), (character) => character.charCodeAt(0)))) as string;
        }),
      );
      const sealed = chat === undefined ? [] : ((await readAll(chat)) as Uint8Array<ArrayBuffer>[]);
      const entries = await Promise.all(sealed.map(async (bytes) => ((await open(bytes)) as { value: unknown }).value));
      return { stored, entries };
    },
    [names, database] as const,
  );
}

/** Reads values of local storage as the page does. */
export async function readStoredTexts(page: Page, ...names: string[]): Promise<(string | null)[]> {
  return (await readDevice(page, names)).stored;
}

export async function readStored<Value>(page: Page, name: string): Promise<Value> {
  const [text] = await readStoredTexts(page, name);
  return JSON.parse(text ?? "{}") as Value;
}

/** Reads all values of one of the chat's databases. */
export async function readStoredValues(page: Page, name: "outbox" | "drafts"): Promise<unknown[]> {
  return (await readDevice(page, [], name)).entries;
}

/** Reads the texts of unsent messages on this device. */
export async function readOutboxTexts(page: Page): Promise<string[]> {
  const items = (await readStoredValues(page, "outbox")) as { bodyText: string; order: number }[];
  return items.toSorted((one, other) => one.order - other.order).map((item) => item.bodyText);
}
