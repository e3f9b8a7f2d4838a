import { Button } from "@lambda/ui/button";
import { type ReactNode, useState } from "react";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { saveFile } from "../../../device/save-file.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { dateAndTime } from "../../../format/time.ts";
import css from "../dashboard.module.css";
import { holdsCopy } from "./copy.ts";
import { useHoldFeedback } from "./use-hold-feedback.ts";

type Content = RouterOutputs["admin"]["holds"]["read"];

/** Loads the copies of an open hold on request, because each read is audited. They are kept in memory only. */
export function HeldCopies({ holdRef, children }: { holdRef: string; children: ReactNode }) {
  const copy = useCopy(holdsCopy);
  const { onError } = useHoldFeedback();
  const [content, setContent] = useState<Content>();
  const read = trpc.admin.holds.read.useMutation({ onSuccess: setContent, onError });
  return (
    <>
      <div className={css.buttons}>
        {!content && (
          <Button variant="primary" busy={read.isPending} onClick={() => read.mutate({ holdRef })}>
            {copy.look}
          </Button>
        )}
        {children}
      </div>
      {content?.records.map((record) => (
        <Record key={record.tsKept} holdRef={holdRef} record={record} />
      ))}
      {content?.pictures.map((picture) => (
        <HeldPicture key={picture.mac} holdRef={holdRef} picture={picture} />
      ))}
    </>
  );
}

function Record({ holdRef, record }: { holdRef: string; record: Content["records"][number] }) {
  const copy = useCopy(holdsCopy);
  const [locale] = useLocale();
  const text = JSON.stringify(JSON.parse(record.json), null, 2);
  return (
    <details className={css.record}>
      <summary>{copy.record(dateAndTime(record.tsKept, locale))}</summary>
      <pre>{text}</pre>
      <Button onClick={() => saveFile(new Blob([text], { type: "application/json" }), `hold-${holdRef}.json`)}>
        {copy.download}
      </Button>
    </details>
  );
}

function HeldPicture({ holdRef, picture }: { holdRef: string; picture: Content["pictures"][number] }) {
  const copy = useCopy(holdsCopy);
  const [isShown, setShown] = useState(false);
  const { mac, kind, evidenceId, isVoice } = picture;
  const src = `/api/admin/hold/${holdRef}/picture/${mac}`;
  const suffix = kind === "original" ? `, ${copy.original}` : "";
  if (!isShown) {
    return (
      <div>
        <Button onClick={() => setShown(true)}>
          {isVoice ? copy.playVoice(evidenceId ?? 0) : copy.showPicture(evidenceId ?? 0)}
          {suffix}
        </Button>
      </div>
    );
  }
  if (isVoice) {
    // biome-ignore lint/a11y/useMediaCaption: evidence is played unaltered
    return <audio src={src} controls autoPlay aria-label={copy.voice(evidenceId ?? 0)} />;
  }
  return <img src={src} alt={copy.picture(evidenceId ?? 0)} className={css.picture} />;
}
