import type { MessageDraft } from "@lambda/contract/messages";
import { Button } from "@lambda/ui/button";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { useEffect, useMemo, useRef, useState } from "react";
import { knownAccountId } from "../../../../api/page-account.ts";
import { ClosableSheet } from "../../../../components/ClosableSheet.tsx";
import { uploadCopy } from "../../../../components/PictureUpload/copy.ts";
import { preparePicture, uploadErrorText, uploadPicture } from "../../../../components/PictureUpload/upload.ts";
import { useAbortSignal } from "../../../../components/use-abort-signal.ts";
import { useCopy, useLocale } from "../../../../format/i18n.ts";
import css from "../chat.module.css";
import { useSheetsCopy } from "./sheets-copy.ts";

interface OnceSheetProps {
  open: boolean;
  close: () => void;
  onAttach: (attachment: NonNullable<MessageDraft["attachment"]>) => void;
}

function useOncePicture({ close, onAttach }: Omit<OnceSheetProps, "open">) {
  const [locale] = useLocale();
  const [file, setFile] = useState<Blob>();
  const [isBusy, setBusy] = useState(false);
  const [progress, setProgress] = useState(0);
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
  /** Shows that something is going on, and why it failed unless the sheet was closed meanwhile. */
  const run = async (work: (signal: AbortSignal) => Promise<void>) => {
    const signal = upload.begin();
    setBusy(true);
    setRefusal(undefined);
    setProgress(0);
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) setRefusal(uploadErrorText(error, locale));
    }
    if (!signal.aborted) setBusy(false);
  };
  const choose = (chosen: File) =>
    run(async (signal) => {
      setFile(undefined);
      const prepared = await preparePicture(chosen, signal);
      if (!signal.aborted) setFile(prepared);
    });
  const send = (prepared: Blob) =>
    run(async (signal) => {
      const picture = {
        file: prepared,
        name: "picture",
        profileId: knownAccountId(),
        audience: "once",
        signal,
      } as const;
      const { id } = await uploadPicture(picture, setProgress);
      if (signal.aborted) return;
      onAttach({ type: "once", pictureId: id });
      leave();
    });
  return { file, preview, isBusy, progress, refusal, leave, choose, send };
}

/** Explains the limits of "open once" before the member chooses a picture, then sends it. */
export function OnceSheet({ open, ...rest }: OnceSheetProps) {
  const copy = useSheetsCopy();
  const input = useRef<HTMLInputElement>(null);
  const { file, preview, isBusy, progress, refusal, leave, choose, send } = useOncePicture(rest);
  const { uploading } = useCopy(uploadCopy);
  return (
    <ClosableSheet
      open={open}
      onClose={leave}
      title={copy.onceTitle}
      cancels
      footer={
        file ? (
          <Button variant="primary" full busy={isBusy} label={copy.onceSend} onClick={() => void send(file)} />
        ) : (
          <Button
            variant="primary"
            full
            icon="picture"
            busy={isBusy}
            label={copy.onceChoose}
            onClick={() => input.current?.click()}
          />
        )
      }
    >
      <div className="stack gap-4">
        <p>{copy.onceText}</p>
        <p>{copy.onceLimits}</p>
        {preview && <img className={`radius-2 ${css.oncePreview}`} src={preview} alt={copy.oncePreview} />}
        {file && isBusy && <ProgressBar label={uploading} showLabel value={progress} />}
        {refusal && <p role="alert">{refusal}</p>}
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          accept="image/*"
          tabIndex={-1}
          aria-label={copy.onceChoose}
          onChange={({ target }) => {
            const chosen = target.files?.[0];
            target.value = "";
            if (chosen) void choose(chosen);
          }}
        />
      </div>
    </ClosableSheet>
  );
}
