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
  /** Zero until the session is known: what is written could not be kept or sent. */
  account: number;
  /** Names the draft that is kept on this device. */
  draftName: string;
  placeholder?: string;
  /** Takes the focus when it comes. */
  autoFocus?: boolean;
  onSend: (message: { bodyText: string; profilePicIds: number[] }) => void;
  /** A refused text, to be changed: it takes an empty field, and `onTakeBack` is told. */
  returned?: string | undefined;
  onTakeBack?: () => void;
  /** Called while the member types, at most once in three seconds. */
  onTyping?: () => void;
  /** Further acts beside the picture button, given what stands in the field and how to replace it. */
  acts?: (field: { text: string; setText: (text: string) => void; choosePicture: () => void }) => ReactNode;
}

/** The field, the pictures to send with it, and the send button. Refuses empty and too long texts. */
export function Composer({
  account,
  draftName,
  placeholder,
  autoFocus,
  onSend,
  onTyping,
  acts,
  ...back
}: ComposerProps) {
  const copy = useCopy(chatCopy);
  const file = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const pictures = useMessagePictures(account);
  const [text, setText] = useDraft(account, draftName, area, pictures.clear);
  const [isReturned, setIsReturned] = useReturned(back, text, setText);
  const used = text.trim().length;
  const over = used > TEXT_MAX_CHARS;
  const ready = account !== 0 && !over && pictures.uploading === 0 && (used > 0 || pictures.ids.length > 0);

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!ready) return;
    onSend({ bodyText: text.trim(), profilePicIds: pictures.ids });
    setText("");
    setIsReturned(false);
    pictures.clear();
    area.current?.focus();
  };
  const choosePicture = () => file.current?.click();
  return (
    <form className={css.composer} onSubmit={send}>
      {isReturned && (
        <p className={css.note} role="alert">
          {copy.openingRepeated}
        </p>
      )}
      <ChosenPictures pictures={pictures} />
      <div className={css.bar}>
        <PictureInput ref={file} onChoose={pictures.upload} />
        {acts ? (
          acts({ text, setText, choosePicture })
        ) : (
          <IconButton icon="picture" label={copy.addPicture} onClick={choosePicture} />
        )}
        <MessageField
          area={area}
          text={text}
          over={over}
          placeholder={placeholder}
          autoFocus={autoFocus}
          onChange={setText}
          onTyping={onTyping}
          onSend={send}
        />
        <IconButton icon="send" tone="accent" type="submit" label={copy.send} disabled={!ready} />
      </div>
      {used > 0 && <Counter used={used} />}
    </form>
  );
}

/** Puts a refused text into the field once that is empty. Answers whether it stands there, and how to say that it does not. */
function useReturned(
  { returned, onTakeBack }: Pick<ComposerProps, "returned" | "onTakeBack">,
  text: string,
  setText: (text: string) => void,
) {
  const state = useState(false);
  const [, setIsReturned] = state;
  useEffect(() => {
    if (returned === undefined || text !== "") return;
    setText(returned);
    setIsReturned(true);
    onTakeBack?.();
  });
  return state;
}

function Counter({ used }: { used: number }) {
  const copy = useCopy(chatCopy);
  const over = used > TEXT_MAX_CHARS;
  return (
    <div className={css.counter} data-over={over || undefined}>
      {used}/{TEXT_MAX_CHARS}
      {/* Announced once, not at each key. */}
      <VisuallyHidden live="assertive">{over ? copy.tooLong(TEXT_MAX_CHARS) : ""}</VisuallyHidden>
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
        // Else the same picture could not be chosen again.
        target.value = "";
        void onChoose(files);
      }}
    />
  );
}
