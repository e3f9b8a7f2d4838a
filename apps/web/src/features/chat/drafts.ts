/** What was begun and not sent, kept on the device for each conversation. */
import { clear, createStore, del, get, set, type UseStore } from "idb-keyval";
import { onWipe } from "../../lib/wipe.ts";

let store: UseStore | undefined;
const database = () => (store ??= createStore("drafts", "keyval"));
const nameOf = (account: number, conversation: string) => `${account}:${conversation}`;

export async function readDraft(account: number, conversation: string): Promise<string> {
  return (await get<string>(nameOf(account, conversation), database()).catch(() => undefined)) ?? "";
}

export async function writeDraft(account: number, conversation: string, text: string): Promise<void> {
  const name = nameOf(account, conversation);
  await (text === "" ? del(name, database()) : set(name, text, database())).catch(() => undefined);
}

onWipe(() => clear(database()).catch(() => undefined));
