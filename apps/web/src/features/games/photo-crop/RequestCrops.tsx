import type { CropSuggestion } from "@lambda/contract/games";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Picture } from "@lambda/ui/picture";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { Switch } from "@lambda/ui/switch";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { drawCrop } from "../../../components/PictureCrop/draw.ts";
import { cropFromFractions } from "../../../components/PictureCrop/geometry.ts";
import { closePicture, openOriginal } from "../../../components/PictureCrop/open-picture.ts";
import { uploadCopy } from "../../../components/PictureUpload/copy.ts";
import { sendPicture } from "../../../components/PictureUpload/send-picture.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useAbortSignal } from "../../../components/use-abort-signal.ts";
import { useAction } from "../../../components/use-action.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useCopy } from "../../../format/i18n.ts";
import { useSession } from "../../../session/session.ts";
import { usePhotoCropCopy } from "./copy.ts";
import css from "./crop-game.module.css";

export function RequestCrops() {
  const copy = usePhotoCropCopy();
  const suggestions = trpc.games.cropSuggestions.useQuery();
  const pictures = trpc.pictures.mine.useQuery();
  const update = trpc.pictures.update.useMutation(useAction({ refresh: [trpc.pictures.mine] }));
  const publicPictures = pictures.data?.items.filter((picture) => picture.audience === "public") ?? [];
  return (
    <div className="stack gap-3 centered narrow mt-2">
      <h2 className="mt-4">{copy.suggestions}</h2>
      {!suggestions.data && <QueryState query={suggestions} />}
      {suggestions.data?.items.length === 0 && <p className="muted">{copy.noSuggestions}</p>}
      {suggestions.data?.items.map((suggestion) => (
        <Suggestion key={suggestion.id} suggestion={suggestion} />
      ))}
      <h2 className="mt-4">{copy.askTitle}</h2>
      <p className="muted">{copy.askText}</p>
      {!pictures.data && <QueryState query={pictures} />}
      {pictures.data && publicPictures.length === 0 && (
        <EmptyState
          figure="cactus"
          title={copy.noPictures}
          action={<Button href="/profilePicUpload" label={copy.upload} />}
        />
      )}
      <ul className={`stack gap-3 plain-list ${css.pictures}`}>
        {publicPictures.map((picture) => (
          <li key={picture.id}>
            <Picture alt="" src={pictureSource(picture.id, true)} sizes="6rem" placeholder={picture.placeholder} />
            <Switch
              label={copy.ask}
              checked={picture.wantsCrop}
              onChange={(wantsCrop) => update.mutate({ id: picture.id, wantsCrop })}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Suggestion({ suggestion }: { suggestion: CropSuggestion }) {
  const copy = usePhotoCropCopy();
  const toast = useToast();
  const showFailure = useFailureToast();
  const { profileId } = useSession();
  const common = useCopy(uploadCopy);
  /** The uploaded fraction; undefined while nothing is sent. */
  const [progress, setProgress] = useState<number>();
  const upload = useAbortSignal();
  const close = trpc.games.cropClose.useMutation(
    useAction({ refresh: [trpc.games.cropSuggestions, trpc.pictures.mine] }),
  );
  const { id, pictureId, box, width, height } = suggestion;

  /** Crops the original on this device and uploads it as a replacement, like the crop editor. */
  const apply = async () => {
    const signal = upload.begin();
    setProgress(0);
    try {
      const opened = await openOriginal({ id: pictureId }, signal);
      const { naturalWidth, naturalHeight } = opened.image;
      const crop = cropFromFractions({ width: naturalWidth, height: naturalHeight }, box);
      const file = await drawCrop(opened, crop, signal).finally(() => closePicture(opened));
      await sendPicture({ file, name: "crop.jpg", profileId, replaceId: pictureId, signal }, setProgress);
      await close.mutateAsync({ id, applied: true });
      toast({ text: copy.applied, tone: "success" });
    } catch (error) {
      if (!signal.aborted) showFailure(error);
    } finally {
      setProgress(undefined);
    }
  };
  return (
    <article className={`stack gap-3 two-columns align-end ruled-below ${css.suggestion}`}>
      <figure>
        <Picture alt="" src={pictureSource(pictureId, true)} aspect={width / height} sizes="12rem" fit="contain" />
        <figcaption className="muted type-mark">{copy.before}</figcaption>
      </figure>
      <figure>
        <span className={`block relative clip ${css.cropped}`}>
          <img
            alt=""
            src={pictureSource(pictureId, true)(1024)}
            style={{
              width: `${100 / box.width}%`,
              height: `${100 / box.height}%`,
              left: `${(-box.x / box.width) * 100}%`,
              top: `${(-box.y / box.height) * 100}%`,
            }}
          />
        </span>
        <figcaption className="muted type-mark">{copy.after}</figcaption>
      </figure>
      {progress !== undefined && <ProgressBar label={common.uploading} showLabel value={progress} />}
      <div className={`stack gap-2 ${css.actions}`}>
        {progress === undefined ? (
          <Button label={copy.decline} onClick={() => close.mutate({ id, applied: false })} />
        ) : (
          <Button label={common.cancel} onClick={upload.abort} />
        )}
        <Button variant="primary" busy={progress !== undefined} label={copy.apply} onClick={() => void apply()} />
      </div>
    </article>
  );
}
