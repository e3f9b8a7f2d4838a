/** What was begun and not sent, kept on the device for each conversation. */
import { clear, createStore, get, type UseStore } from "idb-keyval";
import { onClearLocalData } from "../../../device/clear-local-data.ts";

let store: UseStore | undefined;
const database = () => (store ??= createStore("drafts", "keyval"));
const nameOf = (account: number, conversation: string) => `${account}:${conversation}`;

/** A pause of this long while writing puts what stands there on the disk, milliseconds; so does leaving the page. */
const REST_MS = 250;
const unwritten = new Map<string, string>();
let timer: number | undefined;

export async function readDraft(account: number, conversation: string): Promise<string> {
  const name = nameOf(account, conversation);
  return unwritten.get(name) ?? (await get<string>(name, database()).catch(() => undefined)) ?? "";
}

/** A sent text leaves at once: it must not come back as a draft. */
export function writeDraft(account: number, conversation: string, text: string): void {
  unwritten.set(nameOf(account, conversation), text);
  window.clearTimeout(timer);
  if (text === "") writeAll();
  else timer = window.setTimeout(writeAll, REST_MS);
}

function writeAll(): void {
  if (unwritten.size === 0) return;
  const texts = [...unwritten];
  unwritten.clear();
  const write = (store: IDBObjectStore) => {
    for (const [name, text] of texts) {
      if (text === "") store.delete(name);
      else store.put(text, name);
    }
    // A page that is being left would not live to see its requests done, and take them back.
    store.transaction.commit();
  };
  void database()("readwrite", write).catch(() => undefined);
}

addEventListener("pagehide", writeAll);
document.addEventListener("visibilitychange", writeAll);

onClearLocalData(() => {
  unwritten.clear();
  return clear(database()).catch(() => undefined);
});
