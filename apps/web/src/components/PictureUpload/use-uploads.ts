import type { OwnPicture, PictureAudience } from "@lambda/contract/pictures";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocale } from "../../format/i18n.ts";
import { createChunkLoader } from "../../routing/load-chunk.ts";
import { uploadCopy } from "./copy.ts";

/** Loaded with the first file. */
const chunk = createChunkLoader(() => import("./upload.ts"));

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly options: UploadOptions;
  /** Object URL of the file. */
  readonly preview: string;
  readonly state: "waiting" | "sending" | "done" | "failed";
  /** 0 to 1; 0 while the file is prepared on the device. */
  readonly progress: number;
  readonly picture?: OwnPicture;
  readonly reason?: string | undefined;
  /** True after a lost connection, false after a rejected file. */
  readonly retryable?: boolean;
}

interface UploadOptions {
  readonly audience: PictureAudience;
  readonly nsfw?: boolean;
  readonly harmless?: boolean;
}

export type Uploads = ReturnType<typeof useUploads>;

let nextId = 1;

/** Uploads files one after the other, each with its own progress and error. They end with the component that uses it. */
export function useUploads(profileId: number, onDone?: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [locale] = useLocale();
  const sending = useRef<{ readonly id: number; readonly controller: AbortController }>(undefined);
  const latest = useRef(uploads);
  latest.current = uploads;

  const update = (id: number, changes: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));

  const next = uploads.find((upload) => upload.state === "waiting");
  useEffect(() => {
    if (!next || sending.current || profileId === 0) return;
    const { id, file, options } = next;
    const controller = new AbortController();
    sending.current = { id, controller };
    update(id, { state: "sending", progress: 0 });
    const send = async (): Promise<Partial<Upload>> => {
      const loaded = await chunk.load().catch(() => undefined);
      if (!loaded) return { state: "failed", reason: uploadCopy[locale].offline, retryable: true };
      const picture = { file, name: file.name, profileId, ...options, signal: controller.signal };
      try {
        const stored = await loaded.uploadPicture(picture, (progress) => update(id, { progress }));
        onDone?.();
        return { state: "done", progress: 1, picture: stored };
      } catch (error) {
        return { state: "failed", ...loaded.toUploadFailure(error, locale) };
      }
    };
    void send().then((changes) => {
      sending.current = undefined;
      // Runs this effect again for the next file, even if this one was removed.
      setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
    });
  });

  /** Takes uploads from the list, and cancels the one that is being sent if it is among them. */
  const remove = useCallback((isRemoved: (upload: Upload) => boolean) => {
    const removed = latest.current.filter(isRemoved);
    for (const { id, preview } of removed) {
      if (sending.current?.id === id) sending.current.controller.abort();
      URL.revokeObjectURL(preview);
    }
    setUploads((all) => all.filter((upload) => !removed.some(({ id }) => id === upload.id)));
  }, []);
  useEffect(() => () => remove(() => true), [remove]);

  return {
    uploads,
    add: (files: readonly File[], options: UploadOptions) => {
      const added = files.map((file): Upload => {
        const preview = URL.createObjectURL(file);
        return { id: nextId++, file, preview, state: "waiting", progress: 0, options };
      });
      setUploads((all) => [...all, ...added]);
    },
    retry: (id: number) => update(id, { state: "waiting", progress: 0, reason: undefined }),
    remove,
  };
}
