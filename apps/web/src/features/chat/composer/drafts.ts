/** Unsent texts, stored on the device for each conversation. */
import { onClearLocalData } from "../../../device/clear-local-data.ts";
import { memberDatabase } from "../../../device/member-database.ts";

const database = memberDatabase("drafts");
const keyOf = (account: number, conversation: string) => `${account}:${conversation}`;

/** Drafts are written after this pause in typing, or when the page is hidden. */
const WRITE_DELAY_MS = 250;
const pending = new Map<string, string>();
let timer: number | undefined;

export async function readDraft(account: number, conversation: string): Promise<string> {
  const key = keyOf(account, conversation);
  return pending.get(key) ?? (await database.get<string>(key).catch(() => undefined)) ?? "";
}

/** Clears a sent text at once, so that it cannot come back as a draft. */
export function writeDraft(account: number, conversation: string, text: string): void {
  pending.set(keyOf(account, conversation), text);
  window.clearTimeout(timer);
  if (text === "") writeAll();
  else timer = window.setTimeout(writeAll, WRITE_DELAY_MS);
}

function writeAll(): void {
  if (pending.size === 0) return;
  const texts = [...pending];
  pending.clear();
  void database.writeAll(texts.map(([key, text]) => [key, text || undefined])).catch(() => undefined);
}

addEventListener("pagehide", writeAll);
document.addEventListener("visibilitychange", writeAll);

onClearLocalData(() => {
  pending.clear();
  return database.clear().catch(() => undefined);
});
