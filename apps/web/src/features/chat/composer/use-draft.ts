import { type RefObject, useEffect, useRef, useState } from "react";
import { readDraft, writeDraft } from "./drafts.ts";

/** The text of a composer, kept on this device under the draft's name. `onReplaced`: another conversation's text takes its place. */
export function useDraft(
  account: number,
  draftName: string,
  area: RefObject<HTMLTextAreaElement | null>,
  onReplaced: () => void,
) {
  const [text, setDraft] = useState("");
  const owner = useRef(0);
  const replaced = useRef(onReplaced);
  replaced.current = onReplaced;

  useEffect(() => {
    if (account === 0) return;
    // What was begun before the session was known is this member's; another member's is not.
    const begun = owner.current === 0 ? area.current?.value : "";
    owner.current = account;
    if (begun) {
      writeDraft(account, draftName, begun);
      return;
    }
    let current = true;
    setDraft("");
    replaced.current();
    void readDraft(account, draftName).then((draft) => {
      if (current) setDraft((typed) => typed || draft);
    });
    return () => {
      current = false;
    };
  }, [account, draftName, area]);

  const setText = (next: string) => {
    setDraft(next);
    if (account !== 0) writeDraft(account, draftName, next);
  };
  return [text, setText] as const;
}
