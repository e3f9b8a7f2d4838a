import { IconButton } from "@lambda/ui/icon-button";
import { Picture } from "@lambda/ui/picture";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { uploadCopy } from "../../../../components/PictureUpload/copy.ts";
import type { Upload, Uploads } from "../../../../components/PictureUpload/use-uploads.ts";
import { useCopy } from "../../../../format/i18n.ts";
import css from "../chat.module.css";
import { useChatCopy } from "../copy.ts";

/** The pictures of an unsent message, their progress, and why any could not be uploaded. */
export function ChosenPictures({ pictures }: { pictures: Uploads }) {
  const { error } = useCopy(uploadCopy);
  if (pictures.uploads.length === 0) return null;
  return (
    <>
      <div className={`flex gap-2 ${css.chosen}`}>
        {pictures.uploads.map((upload) => (
          <ChosenPicture key={upload.id} upload={upload} pictures={pictures} />
        ))}
      </div>
      {pictures.uploads.map(
        ({ id, reason }) =>
          reason && (
            <p key={id} className={css.note} role="alert">
              {error(reason)}
            </p>
          ),
      )}
    </>
  );
}

function ChosenPicture({ upload, pictures }: { upload: Upload; pictures: Uploads }) {
  const copy = useChatCopy();
  const { cancel, uploading } = useCopy(uploadCopy);
  const { id, state, preview, progress } = upload;
  const isRunning = state === "waiting" || state === "sending";
  return (
    <span className={`flex-none radius-2 relative clip ${css.thumb}`} data-state={state}>
      <Picture src={preview} alt={copy.picture} aspect={1} />
      <IconButton
        icon="close"
        tone="picture"
        label={isRunning ? cancel : copy.removePicture}
        onClick={() => pictures.remove((other) => other.id === id)}
      />
      {state === "failed" && upload.retryable && (
        <IconButton icon="rotate" tone="picture" label={copy.tryAgain} onClick={() => pictures.retry(id)} />
      )}
      {isRunning && <ProgressBar label={uploading} {...(progress < 1 && { value: progress })} />}
    </span>
  );
}
