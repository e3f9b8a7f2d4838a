import { PICTURE_TYPES, PROFILE_THUMBNAIL_PX, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { IconButton } from "@lambda/ui/icon-button";
import { Picture } from "@lambda/ui/picture";
import { VisuallyHidden } from "@lambda/ui/visually-hidden";
import { type FormEvent, type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import { pictureUrl } from "../../../api/picture-url.ts";
import { useCopy } from "../../../format/i18n.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";
import { MessageField } from "./MessageField.tsx";
import { useDraft } from "./use-draft.ts";
import { type MessagePictures, useMessagePictures } from "./use-message-pictures.ts";

interface ComposerProps {
  /** Zero until the session is known; nothing can be saved or sent before. */
  account: number;
  /** Key of the draft stored on this device. */
  draftName: string;
  placeholder?: string;
  autoFocus?: boolean;
  onSend: (message: { bodyText: string; profilePicIds: number[] }) => void;
  /**
   * A text that the server rejected. It goes back into the field once that is empty, and `onTextRestored` is called.
   */
  rejectedText?: string | undefined;
  onTextRestored?: () => void;
  /** Called while the member types, at most once in three seconds. */
  onTyping?: () => void;
  /** Replaces the picture button, e.g. by a menu of attachments. */
  renderActions?: (field: { text: string; setText: (text: string) => void; choosePicture: () => void }) => ReactNode;
}

/** The text field, the chosen pictures and the send button. Does not send empty or overlong texts. */
export function Composer(props: ComposerProps) {
  const { placeholder, autoFocus, onTyping, renderActions } = props;
  const copy = useCopy(chatCopy);
  const fileInput = useRef<HTMLInputElement>(null);
  const { textarea, text, setText, length, isTooLong, isRestored, pictures, canSend, send } = useMessage(props);
  const choosePicture = () => fileInput.current?.click();
  return (
    <form className={css.composer} onSubmit={send}>
      {isRestored && (
        <p className={css.note} role="alert">
          {copy.openingRepeated}
        </p>
      )}
      <ChosenPictures pictures={pictures} />
      <div className={css.bar}>
        <PictureInput ref={fileInput} onChoose={pictures.upload} />
        {renderActions ? (
          renderActions({ text, setText, choosePicture })
        ) : (
          <IconButton icon="picture" label={copy.addPicture} onClick={choosePicture} />
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
        <IconButton icon="send" tone="accent" type="submit" label={copy.send} disabled={!canSend} />
      </div>
      {length > 0 && <Counter length={length} />}
    </form>
  );
}

/** The message being written: its text and pictures, whether it may be sent, and the sending. */
function useMessage({ account, draftName, onSend, rejectedText, onTextRestored }: ComposerProps) {
  const textarea = useRef<HTMLTextAreaElement>(null);
  const pictures = useMessagePictures(account);
  const [text, setText] = useDraft(account, draftName, textarea, pictures.clear);
  const [isRestored, setIsRestored] = useRestoredText({ rejectedText, onTextRestored }, text, setText);
  const length = text.trim().length;
  const isTooLong = length > TEXT_MAX_CHARS;
  const canSend = account !== 0 && !isTooLong && pictures.uploading === 0 && (length > 0 || pictures.ids.length > 0);

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!canSend) return;
    onSend({ bodyText: text.trim(), profilePicIds: pictures.ids });
    setText("");
    setIsRestored(false);
    pictures.clear();
    textarea.current?.focus();
  };
  return { textarea, text, setText, length, isTooLong, isRestored, pictures, canSend, send };
}

/**
 * Puts a rejected text into the field once that is empty. Returns whether the field holds one, and the setter of that.
 */
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
  const copy = useCopy(chatCopy);
  const isTooLong = length > TEXT_MAX_CHARS;
  return (
    <div className={css.counter} data-over={isTooLong || undefined}>
      {length}/{TEXT_MAX_CHARS}
      {/* Announced when the limit is crossed, not at each key press. */}
      <VisuallyHidden live="assertive">{isTooLong ? copy.tooLong(TEXT_MAX_CHARS) : ""}</VisuallyHidden>
    </div>
  );
}

function ChosenPictures({ pictures }: { pictures: MessagePictures }) {
  const copy = useCopy(chatCopy);
  if (pictures.ids.length === 0 && pictures.uploading === 0) return null;
  return (
    <div className={css.chosen}>
      {pictures.ids.map((id) => (
        <span key={id} className={css.thumb}>
          <Picture src={pictureUrl(id, PROFILE_THUMBNAIL_PX, true)} alt={copy.picture} aspect={1} />
          <IconButton icon="close" tone="picture" label={copy.removePicture} onClick={() => pictures.remove(id)} />
        </span>
      ))}
      {pictures.uploading > 0 && <span role="status">{copy.uploading}</span>}
    </div>
  );
}

interface PictureInputProps {
  ref: Ref<HTMLInputElement>;
  onChoose: (files: File[]) => Promise<void>;
}

function PictureInput({ ref, onChoose }: PictureInputProps) {
  const copy = useCopy(chatCopy);
  return (
    <input
      ref={ref}
      className={css.file}
      type="file"
      accept={PICTURE_TYPES.join(",")}
      multiple
      tabIndex={-1}
      aria-label={copy.addPicture}
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        // Otherwise choosing the same picture again would fire no change event.
        target.value = "";
        void onChoose(files);
      }}
    />
  );
}
