import type { Locale } from "@lambda/contract/accounts";
import type { PictureAudience } from "@lambda/contract/pictures";
import { useEffect, useRef, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { checkFile, refusalText, uploadErrorText } from "../../../components/PictureUpload/check-file.ts";
import { sendPicture } from "../../../components/PictureUpload/send-picture.ts";
import { useLocale } from "../../../format/i18n.ts";
import { useSession } from "../../../session/session.ts";

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly audience: PictureAudience;
  readonly nsfw: boolean;
  readonly harmless: boolean;
  /** Object URL of the file. */
  readonly preview: string;
  readonly state: "waiting" | "sending" | "done" | "failed";
  /** 0 to 1. */
  readonly progress: number;
  readonly reason?: string;
  /** True after a lost connection, false after a rejected file. */
  readonly retryable?: boolean;
}

export interface Uploads {
  readonly uploads: readonly Upload[];
  add(files: readonly File[], options: { audience: PictureAudience; nsfw: boolean; harmless: boolean }): void;
  retry(id: number): void;
  remove(id: number): void;
}

let nextId = 1;

/** Uploads files one after the other, each with its own progress and error. */
export function useUploads(): Uploads {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [locale] = useLocale();
  const { profileId } = useSession();
  const utils = trpc.useUtils();
  const isSending = useRef(false);
  const previews = useRef(new Set<string>());

  const update = (id: number, changes: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));

  const next = uploads.find((upload) => upload.state === "waiting");
  useEffect(() => {
    if (!next || isSending.current || profileId === 0) return;
    isSending.current = true;
    update(next.id, { state: "sending", progress: 0 });
    send(next, profileId, locale, (progress) => update(next.id, { progress }))
      .then(
        () => {
          update(next.id, { state: "done", progress: 1 });
          void utils.pictures.invalidate();
          void utils.profiles.invalidate();
        },
        (error: unknown) => update(next.id, toFailure(error, locale)),
      )
      .finally(() => {
        isSending.current = false;
        // Runs this effect again for the next file, even if this one failed.
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
    retry: (id) => update(id, { state: "waiting", progress: 0 }),
    remove: (id) => setUploads((all) => all.filter((upload) => upload.id !== id)),
  };
}

class RejectedFileError extends Error {}

async function send(
  { file, audience, nsfw, harmless }: Upload,
  profileId: number,
  locale: Locale,
  onProgress: (progress: number) => void,
): Promise<void> {
  const refusal = checkFile(file);
  if (refusal) throw new RejectedFileError(refusalText(refusal, locale));
  await sendPicture({ file, name: file.name, profileId, audience, nsfw, harmless }, onProgress);
}

function toFailure(error: unknown, locale: Locale): Partial<Upload> {
  if (error instanceof RejectedFileError) return { state: "failed", reason: error.message, retryable: false };
  return { state: "failed", reason: uploadErrorText(error, locale), retryable: !("data" in (error as object)) };
}
