import { TYPING_INTERVAL_MS } from "@lambda/contract/limits";
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { isSubmitKey } from "../../../components/submit-key.ts";
import { useCopy } from "../../../format/i18n.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";

interface MessageFieldProps {
  textarea: RefObject<HTMLTextAreaElement | null>;
  text: string;
  isTooLong: boolean;
  placeholder: string | undefined;
  autoFocus: boolean | undefined;
  onChange: (text: string) => void;
  onTyping: (() => void) | undefined;
  onSend: () => void;
}

/** Grows with its text. Enter sends on devices with a mouse, which have a real keyboard. */
export function MessageField(props: MessageFieldProps) {
  const { textarea, text, isTooLong, placeholder, autoFocus, onChange, onTyping, onSend } = props;
  const copy = useCopy(chatCopy);
  const lastTypingSignal = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    if (autoFocus) textarea.current?.focus();
  }, [autoFocus, textarea]);

  const change = (next: string) => {
    onChange(next);
    if (!onTyping || next === "" || performance.now() - lastTypingSignal.current <= TYPING_INTERVAL_MS) return;
    lastTypingSignal.current = performance.now();
    onTyping();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmitKey(event) || event.shiftKey || !matchMedia("(pointer: fine)").matches) return;
    event.preventDefault();
    onSend();
  };
  return (
    <div className={`grow min-0 raised ${css.field}`}>
      <textarea
        autoComplete="off"
        ref={textarea}
        className={`block full-width ${css.area}`}
        dir="auto"
        rows={1}
        value={text}
        placeholder={placeholder ?? copy.message}
        aria-label={copy.message}
        aria-invalid={isTooLong || undefined}
        enterKeyHint="send"
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
