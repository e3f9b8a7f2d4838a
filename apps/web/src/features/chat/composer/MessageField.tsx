import { TYPING_EVERY_MS } from "@lambda/contract/limits";
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { useCopy } from "../../../format/i18n.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";

interface MessageFieldProps {
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  over: boolean;
  placeholder: string | undefined;
  autoFocus: boolean | undefined;
  onChange: (text: string) => void;
  onTyping: (() => void) | undefined;
  onSend: () => void;
}

/** Grows with its text; Enter sends where there is a real keyboard. */
export function MessageField(props: MessageFieldProps) {
  const { area, text, over, placeholder, autoFocus, onChange, onTyping, onSend } = props;
  const copy = useCopy(chatCopy);
  const typedAt = useRef(0);

  useEffect(() => {
    if (autoFocus) area.current?.focus();
  }, [autoFocus, area]);

  const change = (next: string) => {
    onChange(next);
    if (!onTyping || next === "" || Date.now() - typedAt.current <= TYPING_EVERY_MS) return;
    typedAt.current = Date.now();
    onTyping();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const plain = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
    if (!plain || !matchMedia("(pointer: fine)").matches) return;
    event.preventDefault();
    onSend();
  };
  return (
    <div className={css.field}>
      <textarea
        ref={area}
        className={css.area}
        rows={1}
        value={text}
        placeholder={placeholder ?? copy.message}
        aria-label={copy.message}
        aria-invalid={over || undefined}
        enterKeyHint="send"
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
