import { Button } from "@lambda/ui/button";
import { type ReactNode, useState } from "react";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { saveFile } from "../../../device/save-file.ts";
import { dateAndTime } from "../../../format/time.ts";
import css from "../dashboard.module.css";
import { Decide, OnDemand } from "../file-parts.tsx";
import { useHoldsCopy } from "./copy.ts";

type Content = RouterOutputs["admin"]["holds"]["read"];

/** Loads the copies of an open hold on request, because each read is audited. They are kept in memory only. */
export function HeldCopies({ holdRef, children }: { holdRef: string; children: ReactNode }) {
  const copy = useHoldsCopy();
  const [content, setContent] = useState<Content>();
  const read = trpc.admin.holds.read.useMutation({ onSuccess: setContent, onError: useFailureToast() });
  return (
    <>
      <div className="wrap gap-3 align-end">
        {!content && <Decide variant="primary" mutation={read} input={{ holdRef }} label={copy.look} />}
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
  const copy = useHoldsCopy();
  const text = JSON.stringify(JSON.parse(record.json), null, 2);
  return (
    <details className={css.record}>
      <summary>{copy.record(dateAndTime(record.tsKept))}</summary>
      <pre>{text}</pre>
      <Button
        label={copy.download}
        onClick={() => saveFile(new Blob([text], { type: "application/json" }), `hold-${holdRef}.json`)}
      />
    </details>
  );
}

function HeldPicture({ holdRef, picture }: { holdRef: string; picture: Content["pictures"][number] }) {
  const copy = useHoldsCopy();
  const { mac, kind, evidenceId, isVoice } = picture;
  const id = evidenceId ?? 0;
  const src = `/api/admin/hold/${holdRef}/picture/${mac}`;
  const label = isVoice ? copy.playVoice(id) : copy.showPicture(id);
  return (
    <div>
      <OnDemand label={kind === "original" ? `${label}, ${copy.original}` : label}>
        {isVoice ? (
          // biome-ignore lint/a11y/useMediaCaption: evidence is played unaltered
          <audio src={src} controls autoPlay aria-label={copy.voice(id)} />
        ) : (
          <img src={src} alt={copy.picture(id)} className={css.picture} />
        )}
      </OnDemand>
    </div>
  );
}
