import { PICTURE_CROP_ASPECT, UPLOAD_PREVIEW_PX } from "@lambda/contract/limits";
import type { PictureAudience } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { DropZone } from "@lambda/ui/drop-zone";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { Segmented } from "@lambda/ui/segmented";
import { Switch } from "@lambda/ui/switch";
import { useRef, useState } from "react";
import { uploadCopy } from "../../../components/PictureUpload/copy.ts";
import type { Upload, Uploads } from "../../../components/PictureUpload/use-uploads.ts";
import { useCopy } from "../../../format/i18n.ts";
import { usePicturesCopy } from "../copy.ts";
import css from "./upload-panel.module.css";

/** Chooses, drops or takes pictures, sets who may see them, and lists the state of each upload. */
export function UploadPanel({
  uploads,
  audience: initialAudience = "public",
}: {
  uploads: Uploads;
  audience?: "public" | "private";
}) {
  const { upload: copy, ...texts } = usePicturesCopy();
  const [audience, setAudience] = useState<Exclude<PictureAudience, "chat">>(initialAudience);
  const [nsfw, setNsfw] = useState(false);
  const [harmless, setHarmless] = useState(false);
  const camera = useRef<HTMLInputElement>(null);
  const add = (files: readonly File[]) => uploads.add(files, { audience, nsfw, harmless: harmless && !nsfw });

  return (
    <div className="stack gap-4 full-width">
      <div className="stack gap-2">
        <Segmented
          label={copy.audience}
          value={audience}
          onChange={setAudience}
          options={[
            { value: "public", label: copy.public, icon: "globe" },
            { value: "private", label: copy.private, icon: "lock" },
          ]}
        />
        <Switch label={texts.nsfw} help={copy.nsfwHelp} checked={nsfw} onChange={setNsfw} />
        {!nsfw && <Switch label={texts.harmless} help={texts.harmlessHelp} checked={harmless} onChange={setHarmless} />}
      </div>
      <div className={`stack ${css.zone}`}>
        <DropZone accept="image/*" multiple icon="upload" label={copy.choose} help={copy.help} onFiles={add} />
      </div>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="user"
        hidden
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <Button icon="camera" full className={css.camera} label={copy.camera} onClick={() => camera.current?.click()} />
      {uploads.uploads.length > 0 && (
        <ul className="stack gap-2 plain-list">
          {uploads.uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
    </div>
  );
}

function UploadRow({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const copy = usePicturesCopy().upload;
  const common = useCopy(uploadCopy);
  const [isPreviewBroken, setPreviewBroken] = useState(false);
  const { state, file, progress, reason } = upload;
  const retryable = state === "failed" && upload.retryable;
  // Before and after the bytes are sent, the device and the server work on the picture.
  const isCounting = progress > 0 && progress < 1;
  return (
    <li className={`row gap-3 ${css.row}`}>
      <span
        className={`center flex-none tint radius-1 clip muted ${css.preview}`}
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
