/** What was begun and not sent, kept on the device for each conversation. */
import { onClearLocalData } from "../../../device/clear-local-data.ts";
import { memberDatabase } from "../../../device/member-database.ts";

const database = memberDatabase("drafts");
const nameOf = (account: number, conversation: string) => `${account}:${conversation}`;

/** A pause of this long while writing puts what stands there on the disk, milliseconds; so does leaving the page. */
const REST_MS = 250;
const unwritten = new Map<string, string>();
let timer: number | undefined;

export async function readDraft(account: number, conversation: string): Promise<string> {
  const name = nameOf(account, conversation);
  return unwritten.get(name) ?? (await database.get<string>(name).catch(() => undefined)) ?? "";
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
  void database.writeAll(texts.map(([name, text]) => [name, text || undefined])).catch(() => undefined);
}

addEventListener("pagehide", writeAll);
document.addEventListener("visibilitychange", writeAll);

onClearLocalData(() => {
  unwritten.clear();
  return database.clear().catch(() => undefined);
});
