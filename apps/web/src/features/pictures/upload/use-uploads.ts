import type { Locale } from "@lambda/contract/accounts";
import type { PictureAudience } from "@lambda/contract/pictures";
import { useEffect, useRef, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { judgeFile, refusalText, uploadErrorText } from "../../../components/PictureUpload/judge-file.ts";
import { sendPicture } from "../../../components/PictureUpload/send-picture.ts";
import { useLocale } from "../../../format/i18n.ts";
import { useSession } from "../../../session/session.ts";

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly audience: PictureAudience;
  readonly nsfw: boolean;
  readonly harmless: boolean;
  /** Address of the file on this device. */
  readonly preview: string;
  readonly state: "waiting" | "sending" | "done" | "failed";
  /** 0 to 1. */
  readonly progress: number;
  readonly reason?: string;
  /** Trying again can help: the connection was lost, not the file refused. */
  readonly retryable?: boolean;
}

export interface Uploads {
  readonly uploads: readonly Upload[];
  add(files: readonly File[], options: { audience: PictureAudience; nsfw: boolean; harmless: boolean }): void;
  retry(id: number): void;
  remove(id: number): void;
}

let nextId = 1;

/** Sends files one after the other, each with its own progress and its own error. */
export function useUploads(): Uploads {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [locale] = useLocale();
  const { profileId } = useSession();
  const utils = trpc.useUtils();
  const sending = useRef(false);
  const previews = useRef(new Set<string>());

  const change = (id: number, changes: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));

  const next = uploads.find((upload) => upload.state === "waiting");
  useEffect(() => {
    if (!next || sending.current || profileId === 0) return;
    sending.current = true;
    change(next.id, { state: "sending", progress: 0 });
    send(next, profileId, locale, (progress) => change(next.id, { progress }))
      .then(
        () => {
          change(next.id, { state: "done", progress: 1 });
          void utils.pictures.invalidate();
          void utils.profiles.invalidate();
        },
        (error: unknown) => change(next.id, failureOf(error, locale)),
      )
      .finally(() => {
        sending.current = false;
        // Wakes this effect for the next one, whatever became of this one.
        setUploads((all) => [...all]);
      });
  });

  useEffect(
    () => () => {
      for (const preview of previews.current) URL.revokeObjectURL(preview);
    },
    [],
  );

  return {
    uploads,
    add: (files, options) => {
      const added = files.map((file): Upload => {
        const preview = URL.createObjectURL(file);
        previews.current.add(preview);
        return { id: nextId++, file, preview, state: "waiting", progress: 0, ...options };
      });
      setUploads((all) => [...all, ...added]);
    },
    retry: (id) => change(id, { state: "waiting", progress: 0 }),
    remove: (id) => setUploads((all) => all.filter((upload) => upload.id !== id)),
  };
}

class Refused extends Error {}

async function send(
  { file, audience, nsfw, harmless }: Upload,
  profileId: number,
  locale: Locale,
  onProgress: (progress: number) => void,
): Promise<void> {
  const refusal = judgeFile(file);
  if (refusal) throw new Refused(refusalText(refusal, locale));
  await sendPicture({ file, name: file.name, profileId, audience, nsfw, harmless }, onProgress);
}

function failureOf(error: unknown, locale: Locale): Partial<Upload> {
  if (error instanceof Refused) return { state: "failed", reason: error.message, retryable: false };
  return { state: "failed", reason: uploadErrorText(error, locale), retryable: !("data" in (error as object)) };
}
