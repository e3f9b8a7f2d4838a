import { PICTURE_CROP_ASPECT, UPLOAD_PREVIEW_PX } from "@lambda/contract/limits";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { useState } from "react";
import { uploadCopy } from "../../../components/PictureUpload/copy.ts";
import type { Upload, Uploads } from "../../../components/PictureUpload/use-uploads.ts";
import { useCopy } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import css from "./upload-panel.module.css";

export function UploadRow({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const copy = useCopy(picturesCopy).upload;
  const common = useCopy(uploadCopy);
  const [isPreviewBroken, setPreviewBroken] = useState(false);
  const { state, file, progress, reason } = upload;
  const retryable = state === "failed" && upload.retryable;
  // Before and after the bytes are sent, the device and the server work on the picture.
  const isCounting = progress > 0 && progress < 1;
  return (
    <li className={`row gap-3 ${css.row}`}>
      <span
        className={`center flex-none tint clip muted ${css.preview}`}
        style={{ width: UPLOAD_PREVIEW_PX * PICTURE_CROP_ASPECT, height: UPLOAD_PREVIEW_PX }}
      >
        {isPreviewBroken ? (
          <Icon name="warning" size={24} />
        ) : (
          <img src={upload.preview} alt="" onError={() => setPreviewBroken(true)} />
        )}
      </span>
      <div className="stack grow min-0 gap-hair">
        <span className="bold truncate" dir="auto">
          {file.name}
        </span>
        {state === "failed" ? (
          <span className="danger" role="alert">
            {common.error(reason ?? "")}
          </span>
        ) : state === "done" ? (
          <span className="inline-row gap-1 success" role="status">
            <Icon name="check" size={18} /> {copy.uploaded}
          </span>
        ) : (
          <>
            <span className="muted type-mark">
              {state === "waiting" ? copy.waiting : isCounting ? `${Math.round(progress * 100)}%` : copy.preparing}
            </span>
            <ProgressBar
              label={copy.uploading(file.name)}
              {...(state === "waiting" ? { value: 0 } : isCounting ? { value: progress } : {})}
            />
          </>
        )}
      </div>
      {state !== "done" && (
        <span className="flex flex-none">
          {retryable && <IconButton icon="rotate" label={copy.retry} onClick={() => uploads.retry(upload.id)} />}
          <IconButton
            icon="close"
            label={state === "failed" ? copy.remove : common.cancel}
            onClick={() => uploads.remove(({ id }) => id === upload.id)}
          />
        </span>
      )}
    </li>
  );
}
