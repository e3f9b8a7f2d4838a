import { MESSAGE_PICTURES_MAX, TEXT_MAX_CHARS, TYPING_INTERVAL_MS } from "@lambda/contract/limits";
import { asSeen } from "@lambda/contract/typed";
import { IconButton } from "@lambda/ui/icon-button";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Form } from "../../../../components/Form.tsx";
import { useUploads } from "../../../../components/PictureUpload/use-uploads.ts";
import { isSubmitKey } from "../../../../components/submit-key.ts";
import css from "../chat.module.css";
import { useChatCopy } from "../copy.ts";
import { ChosenPictures } from "./ChosenPictures.tsx";
import { useDraft } from "./use-draft.ts";
import { useDroppedPictures } from "./use-dropped-pictures.ts";

interface ComposerProps {
  /** Zero until the session is known; nothing can be saved or sent before. */
  account: number;
  /** Key of the draft stored on this device. */
  draftName: string;
  placeholder?: string;
  autoFocus?: boolean;
  onSend: (message: { bodyText: string; profilePicIds: number[] }) => void;
  /** A text to begin with that was pressed. It fills the field unless the member has written something else. */
  opener?: { readonly text: string } | undefined;
  /** A text that the server rejected. It goes back into the field once that is empty, and `onTextRestored` is called. */
  rejectedText?: string | undefined;
  onTextRestored?: () => void;
  /** Called while the member types, at most once in three seconds. */
  onTyping?: () => void;
  /** Replaces the picture button by a menu of attachments, and adds the camera after the field. */
  renderActions?: (field: { text: string; setText: (text: string) => void; choosePicture: () => void }) => ReactNode;
  /** Stands where Send is while there is nothing to send. */
  idleAction?: ReactNode;
}

/** The text field, the chosen pictures and the send button. Does not send empty or overlong texts. */
export function Composer(props: ComposerProps) {
  const { placeholder, autoFocus, onTyping, renderActions, idleAction } = props;
  const copy = useChatCopy();
  const fileInput = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const { textarea, text, setText, length, isTooLong, isRestored, pictures, hasMore, isEmpty, canSend, send } =
    useMessage(props);
  const choosePicture = (source?: "camera") => {
    if (source) fileInput.current?.setAttribute("capture", "environment");
    else fileInput.current?.removeAttribute("capture");
    fileInput.current?.click();
  };
  const addPictures = (files: File[]) => pictures.add(files, { audience: "chat" });
  const isDragOver = useDroppedPictures(form, addPictures);
  return (
    <Form
      ref={form}
      className={`full-width relative ${css.composer}`}
      data-dropping={isDragOver || undefined}
      onSubmit={send}
    >
      {isRestored && (
        <p className={css.note} role="alert">
          {copy.openingRepeated}
        </p>
      )}
      <ChosenPictures pictures={pictures} />
      {hasMore && (
        <p className={css.note} role="status">
          {copy.morePictures(MESSAGE_PICTURES_MAX)}
        </p>
      )}
      <div className={`flex gap-1 ${css.bar}`}>
        <input
          ref={fileInput}
          className="visually-hidden"
          type="file"
          accept="image/*"
          multiple
          tabIndex={-1}
          aria-label={copy.addPicture}
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            // Otherwise choosing the same picture again would fire no change event.
            target.value = "";
            addPictures(files);
          }}
        />
        {renderActions ? (
          renderActions({ text, setText, choosePicture: () => choosePicture() })
        ) : (
          <IconButton icon="picture" label={copy.addPicture} onClick={() => choosePicture()} />
        )}
        <MessageField
          textarea={textarea}
          text={text}
          isTooLong={isTooLong}
          placeholder={placeholder}
          autoFocus={autoFocus}
          onChange={setText}
          onTyping={onTyping}
          onSend={send}
        />
        {renderActions && <CameraButton onOpen={choosePicture} />}
        {isEmpty && idleAction ? (
          idleAction
        ) : (
          <IconButton icon="send" tone="accent" type="submit" label={copy.send} disabled={!canSend} />
        )}
      </div>
      {length > 0 && <Counter length={length} />}
    </Form>
  );
}

function useMessage({ account, draftName, onSend, opener, rejectedText, onTextRestored }: ComposerProps) {
  const textarea = useRef<HTMLTextAreaElement>(null);
  const pictures = useUploads(account);
  // Those of another conversation must not end up in this one.
  const [text, setText] = useDraft(account, draftName, textarea, () => pictures.remove(() => true));
  useOpener(opener, textarea, text, setText);
  const [isRestored, setIsRestored] = useRestoredText({ rejectedText, onTextRestored }, text, setText);
  const length = asSeen(text) === "" ? 0 : text.trim().length;
  const isTooLong = length > TEXT_MAX_CHARS;
  const done = pictures.uploads.filter(({ picture }) => picture);
  const next = done.slice(0, MESSAGE_PICTURES_MAX);
  const isUploading = pictures.uploads.some(({ state }) => state === "waiting" || state === "sending");
  const canSend = account !== 0 && !isTooLong && !isUploading && (length > 0 || next.length > 0);

  const send = () => {
    if (!canSend) return;
    onSend({ bodyText: text.trim(), profilePicIds: next.flatMap(({ picture }) => picture?.id ?? []) });
    // At once: a second press of the same moment would send it again.
    flushSync(() => {
      setText("");
      setIsRestored(false);
      pictures.remove((upload) => next.includes(upload));
    });
    textarea.current?.focus();
  };
  const isEmpty = length === 0 && pictures.uploads.length === 0;
  const hasMore = done.length > next.length;
  return { textarea, text, setText, length, isTooLong, isRestored, pictures, hasMore, isEmpty, canSend, send };
}

function useOpener(
  opener: ComposerProps["opener"],
  textarea: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
) {
  const filled = useRef("");
  const fill = useEffectEvent((pressed: string) => {
    textarea.current?.focus();
    if (text !== "" && text !== filled.current) return;
    filled.current = pressed;
    setText(pressed);
  });
  useEffect(() => {
    if (opener) fill(opener.text);
  }, [opener]);
}

/** Puts a rejected text into the field once that is empty. Returns whether the field holds one, and the setter of that. */
function useRestoredText(
  { rejectedText, onTextRestored }: Pick<ComposerProps, "rejectedText" | "onTextRestored">,
  text: string,
  setText: (text: string) => void,
) {
  const [isRestored, setIsRestored] = useState(false);
  useEffect(() => {
    if (rejectedText === undefined || text !== "") return;
    setText(rejectedText);
    setIsRestored(true);
    onTextRestored?.();
  });
  return [isRestored, setIsRestored] as const;
}

function Counter({ length }: { length: number }) {
  const copy = useChatCopy();
  const isTooLong = length > TEXT_MAX_CHARS;
  return (
    <div className={`muted type-mark ${css.counter}`} data-over={isTooLong || undefined}>
      {length}/{TEXT_MAX_CHARS}
      {/* Announced when the limit is crossed, not at each key press. */}
      <span className="visually-hidden" aria-live="assertive">
        {isTooLong ? copy.tooLong(TEXT_MAX_CHARS) : ""}
      </span>
    </div>
  );
}

/** Opens the camera of a touch device. Others have none that faces anything, so there it chooses a file. */
function CameraButton({ onOpen }: { onOpen: (source?: "camera") => void }) {
  const copy = useChatCopy();
  const hasCamera = matchMedia("(pointer: coarse)").matches;
  return (
    <span className={`flex-none relative ${css.camera}`}>
      <IconButton
        icon={hasCamera ? "camera" : "picture"}
        label={hasCamera ? copy.camera : copy.addPicture}
        onClick={() => onOpen(hasCamera ? "camera" : undefined)}
      />
    </span>
  );
}

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
function MessageField(props: MessageFieldProps) {
  const { textarea, text, isTooLong, placeholder, autoFocus, onChange, onTyping, onSend } = props;
  const copy = useChatCopy();
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
    // Held, it would send a text again that was refused and put back.
    if (!event.repeat) onSend();
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
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
