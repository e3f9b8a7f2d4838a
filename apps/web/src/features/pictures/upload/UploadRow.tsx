import { PICTURE_CROP_ASPECT, UPLOAD_PREVIEW_PX } from "@lambda/contract/limits";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { useState } from "react";
import { uploadCopy } from "../../../components/PictureUpload/copy.ts";
import { useCopy } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import css from "./upload-panel.module.css";
import type { Upload, Uploads } from "./use-uploads.ts";

/** One file with its preview and its progress, or the reason it was rejected. */
export function UploadRow({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const copy = useCopy(picturesCopy).upload;
  const errors = useCopy(uploadCopy);
  const [isPreviewBroken, setPreviewBroken] = useState(false);
  const { state, file, progress, reason, retryable } = upload;
  return (
    <li className={css.row}>
      <span
        className={css.preview}
        style={{ width: UPLOAD_PREVIEW_PX * PICTURE_CROP_ASPECT, height: UPLOAD_PREVIEW_PX }}
      >
        {isPreviewBroken ? (
          <Icon name="warning" size={24} />
        ) : (
          <img src={upload.preview} alt="" onError={() => setPreviewBroken(true)} />
        )}
      </span>
      <div className={css.words}>
        <span className={css.name}>{file.name}</span>
        {state === "failed" ? (
          <span className={css.error} role="alert">
            {errors.error(reason ?? "")}
          </span>
        ) : state === "done" ? (
          <span className={css.done} role="status">
            <Icon name="check" size={18} /> {copy.uploaded}
          </span>
        ) : (
          <>
            <span className={css.state}>
              {state === "waiting" ? copy.waiting : progress < 1 ? `${Math.round(progress * 100)}%` : copy.preparing}
            </span>
            <ProgressBar
              label={copy.uploading(file.name)}
              {...(state === "waiting" ? { value: 0 } : progress < 1 ? { value: progress } : {})}
            />
          </>
        )}
      </div>
      {state === "failed" && (
        <span className={css.actions}>
          {retryable && <IconButton icon="rotate" label={copy.retry} onClick={() => uploads.retry(upload.id)} />}
          <IconButton icon="close" label={copy.remove} onClick={() => uploads.remove(upload.id)} />
        </span>
      )}
    </li>
  );
}
