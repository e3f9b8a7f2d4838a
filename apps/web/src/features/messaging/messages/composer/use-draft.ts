import { type RefObject, useEffect, useRef, useState } from "react";
import { onClearLocalData } from "../../../../device/clear-local-data.ts";
import { memberDatabase } from "../../../../device/member-database.ts";

/** The text of a composer, stored on this device. `onReplaced` is called when another conversation's draft is loaded. */
export function useDraft(
  account: number,
  draftName: string,
  textarea: RefObject<HTMLTextAreaElement | null>,
  onReplaced: () => void,
) {
  const [text, setDraft] = useState("");
  const owner = useRef(0);
  const latestOnReplaced = useRef(onReplaced);
  latestOnReplaced.current = onReplaced;

  useEffect(() => {
    if (account === 0) return;
    // What was typed or chosen before the session was known belongs to this member; that of another member does not.
    const isEarly = owner.current === 0;
    const typedEarly = isEarly ? textarea.current?.value : "";
    owner.current = account;
    if (typedEarly) {
      writeDraft(account, draftName, typedEarly);
      return;
    }
    let isCurrent = true;
    setDraft("");
    if (!isEarly) latestOnReplaced.current();
    void readDraft(account, draftName).then((draft) => {
      if (isCurrent) setDraft((typed) => typed || draft);
    });
    return () => {
      isCurrent = false;
    };
  }, [account, draftName, textarea]);

  const setText = (next: string) => {
    setDraft(next);
    if (account !== 0) writeDraft(account, draftName, next);
  };
  return [text, setText] as const;
}

/** Unsent texts, stored on the device for each conversation. */

const database = memberDatabase("drafts");
const keyOf = (account: number, conversation: string) => `${account}:${conversation}`;

/** Drafts are written after this pause in typing, or when the page is hidden. */
const WRITE_DELAY_MS = 250;
const pending = new Map<string, string>();
let timer: number | undefined;

async function readDraft(account: number, conversation: string): Promise<string> {
  const key = keyOf(account, conversation);
  return pending.get(key) ?? (await database.get<string>(key).catch(() => undefined)) ?? "";
}

/** Clears a sent text at once, so that it cannot come back as a draft. */
function writeDraft(account: number, conversation: string, text: string): void {
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
