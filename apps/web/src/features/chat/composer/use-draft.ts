import { type RefObject, useEffect, useRef, useState } from "react";
import { readDraft, writeDraft } from "./drafts.ts";

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
    // Text typed before the session was known belongs to this member; text of another member does not.
    const typedEarly = owner.current === 0 ? textarea.current?.value : "";
    owner.current = account;
    if (typedEarly) {
      writeDraft(account, draftName, typedEarly);
      return;
    }
    let isCurrent = true;
    setDraft("");
    latestOnReplaced.current();
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
