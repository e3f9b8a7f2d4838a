import { PICTURE_TYPES, PROFILE_THUMBNAIL_PX, TEXT_MAX_CHARS, TYPING_EVERY_MS } from "@lambda/contract/limits";
import { IconButton } from "@lambda/ui/icon-button";
import { Picture } from "@lambda/ui/picture";
import { useToast } from "@lambda/ui/toast";
import { VisuallyHidden } from "@lambda/ui/visually-hidden";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { pictureUrl } from "../../../api/picture-url.ts";
import { uploadCopy } from "../../../components/PictureUpload/copy.ts";
import { judgeFile, refusalText, uploadErrorText } from "../../../components/PictureUpload/judge-file.ts";
import { sendPicture } from "../../../components/PictureUpload/send-picture.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";
import { readDraft, writeDraft } from "./drafts.ts";

interface ComposerProps {
  /** Zero while it is not known whose words these are: they could not be kept or sent. */
  account: number;
  /** Names the draft that is kept on this device. */
  draftName: string;
  placeholder?: string;
  /** Takes the focus when it comes. */
  autoFocus?: boolean;
  onSend: (message: { bodyText: string; profilePicIds: number[] }) => void;
  /** Called while he types, at most once in three seconds. */
  onTyping?: () => void;
  /** Further acts beside the picture button, given what stands in the field and how to replace it. */
  acts?: (field: { text: string; setText: (text: string) => void; choosePicture: () => void }) => ReactNode;
}

/** Grows with its text; Enter sends where there is a real keyboard. Refuses empty and too long texts. */
export function Composer({ account, draftName, placeholder, autoFocus, onSend, onTyping, acts }: ComposerProps) {
  const copy = useCopy(chatCopy);
  const [locale] = useLocale();
  const toast = useToast();
  const [text, setDraft] = useState("");
  const [pictures, setPictures] = useState<number[]>([]);
  const [uploading, setUploading] = useState(0);
  const file = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const typedAt = useRef(0);
  const whose = useRef(0);

  useEffect(() => {
    if (account === 0) return;
    // What was begun before it was known whose words they are is his; another man's is not.
    const begun = whose.current === 0 ? area.current?.value : "";
    whose.current = account;
    if (begun) {
      writeDraft(account, draftName, begun);
      return;
    }
    let current = true;
    setDraft("");
    setPictures([]);
    void readDraft(account, draftName).then((draft) => {
      if (current) setDraft((typed) => typed || draft);
    });
    return () => {
      current = false;
    };
  }, [account, draftName]);

  useEffect(() => {
    if (autoFocus) area.current?.focus();
  }, [autoFocus]);

  const setText = (next: string) => {
    setDraft(next);
    if (account !== 0) writeDraft(account, draftName, next);
  };
  const used = text.trim().length;
  const over = used > TEXT_MAX_CHARS;
  const ready = account !== 0 && !over && uploading === 0 && (used > 0 || pictures.length > 0);

  const send = () => {
    if (!ready) return;
    onSend({ bodyText: text.trim(), profilePicIds: pictures });
    setText("");
    setPictures([]);
    area.current?.focus();
  };

  const refuse = (reasons: string) => toast({ text: uploadCopy[locale].error(reasons), tone: "danger" });
  const upload = async (files: FileList | null) => {
    for (const chosen of files ?? []) {
      setUploading((count) => count + 1);
      try {
        const refusal = judgeFile(chosen);
        if (refusal) {
          refuse(refusalText(refusal, locale));
          continue;
        }
        const { id } = await sendPicture({ file: chosen, name: chosen.name, profileId: account, audience: "chat" });
        setPictures((ids) => [...ids, id]);
      } catch (error) {
        refuse(uploadErrorText(error, locale));
      } finally {
        setUploading((count) => count - 1);
      }
    }
    if (file.current) file.current.value = "";
  };
  const choosePicture = () => file.current?.click();

  return (
    <form
      className={css.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {(pictures.length > 0 || uploading > 0) && (
        <div className={css.chosen}>
          {pictures.map((id) => (
            <span key={id} className={css.thumb}>
              <Picture src={pictureUrl(id, PROFILE_THUMBNAIL_PX, true)} alt={copy.picture} aspect={1} />
              <IconButton
                icon="close"
                tone="picture"
                label={copy.removePicture}
                onClick={() => setPictures(pictures.filter((other) => other !== id))}
              />
            </span>
          ))}
          {uploading > 0 && <span role="status">{copy.uploading}</span>}
        </div>
      )}
      <div className={css.bar}>
        <input
          ref={file}
          className={css.file}
          type="file"
          accept={PICTURE_TYPES.join(",")}
          multiple
          tabIndex={-1}
          aria-label={copy.addPicture}
          onChange={(event) => void upload(event.target.files)}
        />
        {acts ? (
          acts({ text, setText, choosePicture })
        ) : (
          <IconButton icon="picture" label={copy.addPicture} onClick={choosePicture} />
        )}
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
            onChange={(event) => {
              setText(event.target.value);
              if (onTyping && event.target.value && Date.now() - typedAt.current > TYPING_EVERY_MS) {
                typedAt.current = Date.now();
                onTyping();
              }
            }}
            onKeyDown={(event) => {
              const plain = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
              if (!plain || !matchMedia("(pointer: fine)").matches) return;
              event.preventDefault();
              send();
            }}
          />
        </div>
        <IconButton icon="send" tone="accent" type="submit" label={copy.send} disabled={!ready} />
      </div>
      {used > 0 && (
        <div className={css.counter} data-over={over || undefined}>
          {used}/{TEXT_MAX_CHARS}
          {/* Said once, not at each key. */}
          <VisuallyHidden live="assertive">{over ? copy.tooLong(TEXT_MAX_CHARS) : ""}</VisuallyHidden>
        </div>
      )}
    </form>
  );
}
