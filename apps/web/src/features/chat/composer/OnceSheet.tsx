import { PICTURE_TYPES } from "@lambda/contract/limits";
import type { MessageDraft } from "@lambda/contract/messages";
import { Button } from "@lambda/ui/button";
import { Sheet } from "@lambda/ui/sheet";
import { useEffect, useMemo, useRef, useState } from "react";
import { checkFile, refusalText, sendPicture, uploadErrorText } from "../../../components/PictureUpload/upload.ts";
import { useAbortSignal } from "../../../components/use-abort-signal.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { knownAccountId } from "../../../session/session.ts";
import css from "../chat.module.css";
import { sheetsCopy } from "./sheets-copy.ts";

interface OnceSheetProps {
  open: boolean;
  close: () => void;
  onAttach: (attachment: NonNullable<MessageDraft["attachment"]>) => void;
}

/** Chooses, checks and uploads the picture. */
function useOncePicture({ close, onAttach }: Omit<OnceSheetProps, "open">) {
  const [locale] = useLocale();
  const [file, setFile] = useState<File>();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const preview = useMemo(() => file && URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(preview ?? ""), [preview]);

  const upload = useAbortSignal();
  const leave = () => {
    upload.abort();
    setBusy(false);
    setFile(undefined);
    setRefusal(undefined);
    close();
  };
  const choose = (chosen: File | undefined) => {
    const reason = chosen && checkFile(chosen);
    setRefusal(reason ? refusalText(reason, locale) : undefined);
    setFile(reason ? undefined : chosen);
  };
  const send = async () => {
    if (!file) return;
    const signal = upload.begin();
    setBusy(true);
    try {
      const { id } = await sendPicture({
        file,
        name: file.name,
        profileId: knownAccountId(),
        audience: "once",
        signal,
      });
      if (signal.aborted) return;
      onAttach({ type: "once", pictureId: id });
      leave();
    } catch (error) {
      if (signal.aborted) return;
      setRefusal(uploadErrorText(error, locale));
      setBusy(false);
    }
  };
  return { preview, isBusy, refusal, leave, choose, send };
}

/** Explains the limits of "open once" before the member chooses a picture, then sends it. */
export function OnceSheet({ open, ...rest }: OnceSheetProps) {
  const copy = useCopy(sheetsCopy);
  const input = useRef<HTMLInputElement>(null);
  const { preview, isBusy, refusal, leave, choose, send } = useOncePicture(rest);
  return (
    <Sheet
      open={open}
      onClose={leave}
      title={copy.onceTitle}
      closeLabel={copy.cancel}
      footer={
        preview ? (
          <Button variant="primary" full busy={isBusy} onClick={() => void send()}>
            {copy.onceSend}
          </Button>
        ) : (
          <Button variant="primary" full icon="picture" onClick={() => input.current?.click()}>
            {copy.onceChoose}
          </Button>
        )
      }
    >
      <div className={css.sheet}>
        <p>{copy.onceText}</p>
        <p>{copy.onceLimits}</p>
        {preview && <img className={css.oncePreview} src={preview} alt={copy.oncePreview} />}
        {refusal && <p role="alert">{refusal}</p>}
        <input
          ref={input}
          className={css.file}
          type="file"
          accept={PICTURE_TYPES.join(",")}
          tabIndex={-1}
          aria-label={copy.onceChoose}
          onChange={({ target }) => {
            choose(target.files?.[0]);
            target.value = "";
          }}
        />
      </div>
    </Sheet>
  );
}
