import type { Page } from "playwright-core";

/** Reads all values of one of the chat's IndexedDB databases, which the page must have created already. */
export function readStoredValues(page: Page, name: "outbox" | "drafts"): Promise<unknown[]> {
  return page.evaluate(
    (database) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opened = indexedDB.open(database);
        opened.onerror = () => reject(opened.error);
        opened.onsuccess = () => {
          const all = opened.result.transaction("keyval").objectStore("keyval").getAll();
          all.onerror = () => reject(all.error);
          all.onsuccess = () => {
            opened.result.close();
            resolve(all.result);
          };
        };
      }),
    name,
  );
}

/** Reads the texts of unsent messages on this device. */
export async function readOutboxTexts(page: Page): Promise<string[]> {
  const items = (await readStoredValues(page, "outbox")) as { bodyText: string; order: number }[];
  return items.toSorted((one, other) => one.order - other.order).map((item) => item.bodyText);
}
