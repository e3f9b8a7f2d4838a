import type { CropBox, CropSuggestion, CropTask } from "@lambda/contract/games";
import { PICTURE_CROP_ASPECT } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Picture } from "@lambda/ui/picture";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { Skeleton } from "@lambda/ui/skeleton";
import { Switch } from "@lambda/ui/switch";
import { Tabs } from "@lambda/ui/tabs";
import { useToast } from "@lambda/ui/toast";
import { useEffect, useEffectEvent, useState } from "react";
import { useSearch } from "wouter";
import { pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { CropStage } from "../../../components/PictureCrop/CropStage.tsx";
import { drawCrop } from "../../../components/PictureCrop/draw.ts";
import {
  type Crop,
  cropFromFractions,
  frameHeight,
  initialCrop,
  type Size,
} from "../../../components/PictureCrop/geometry.ts";
import { closePicture, openOriginal } from "../../../components/PictureCrop/open-picture.ts";
import { uploadCopy } from "../../../components/PictureUpload/copy.ts";
import { sendPicture } from "../../../components/PictureUpload/send-picture.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useAbortSignal } from "../../../components/use-abort-signal.ts";
import { useAction } from "../../../components/use-action.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { MEDIA_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import { useCopy } from "../../../format/i18n.ts";
import { useSession } from "../../../session/session.ts";
import { useGamesCopy } from "../copy.ts";
import { HowItWorks } from "../layout/GameLayout.tsx";
import { usePhotoCropCopy } from "./copy.ts";
import css from "./crop-game.module.css";

export default function PhotoCropScreen() {
  const copy = usePhotoCropCopy();
  const isOwnTab = new URLSearchParams(useSearch()).get("tab") === "mine";
  return (
    <div className="centered measure">
      <Tabs
        label={copy.tabs}
        current={isOwnTab ? "/games/photocrop?tab=mine" : "/games/photocrop"}
        tabs={[
          { href: "/games/photocrop", label: copy.help },
          { href: "/games/photocrop?tab=mine", label: copy.mine },
        ]}
      />
      {isOwnTab ? <RequestCrops /> : <SuggestCrops />}
    </div>
  );
}

function SuggestCrops() {
  const copy = usePhotoCropCopy();
  const { loading, failed } = useGamesCopy();
  const [nsfw] = useNsfw();
  const tasks = trpc.games.cropTasks.useQuery({ nsfw });
  const [doneIds, setDoneIds] = useState<readonly number[]>([]);
  const suggest = trpc.games.cropSuggest.useMutation(useAction({ done: copy.sent }));
  const task = tasks.data?.items.find((candidate) => !doneIds.includes(candidate.pictureId));
  const finish = (id: number) => setDoneIds([...doneIds, id]);

  return (
    <div className="stack gap-3 centered narrow mt-2">
      {!tasks.data && <QueryState query={tasks} failed={failed} height="60dvh" width="100%" label={loading} />}
      {tasks.data && !task && <EmptyState figure="window" title={copy.none} text={copy.noneText} />}
      {task && (
        <CropTaskEditor
          key={task.pictureId}
          task={task}
          nsfw={nsfw}
          onSkip={() => finish(task.pictureId)}
          onSend={(box) => {
            suggest.mutate({ pictureId: task.pictureId, ...box });
            finish(task.pictureId);
          }}
        />
      )}
      <HowItWorks text={copy.how} />
    </div>
  );
}

interface CropTaskEditorProps {
  task: CropTask;
  nsfw: boolean;
  onSend: (box: ReturnType<typeof toCropBox>) => void;
  onSkip: () => void;
}

function CropTaskEditor({ task, nsfw, onSend, onSkip }: CropTaskEditorProps) {
  const copy = usePhotoCropCopy();
  const [image, setImage] = useState<HTMLImageElement>();
  const [crop, setCrop] = useState<Crop>();
  const url = `/api/profile-pic/${task.nsfw && nsfw ? "nsfw/" : ""}${task.pictureId}?scale_x=1024`;
  const skip = useEffectEvent(onSkip);
  useEffect(() => {
    const loading = new Image();
    loading.src = url;
    let isCurrent = true;
    withDeadline(MEDIA_WAIT_MS, () => loading.decode()).then(
      () => {
        if (!isCurrent) return;
        setImage(loading);
        setCrop(initialCrop({ width: loading.naturalWidth, height: loading.naturalHeight }));
      },
      () => isCurrent && skip(),
    );
    return () => {
      isCurrent = false;
    };
  }, [url]);
  if (!image || !crop) return <Skeleton height="60dvh" width="100%" />;
  const picture = { width: image.naturalWidth, height: image.naturalHeight };
  return (
    <>
      <h2 className="type-name bold font-display text-center">{copy.question}</h2>
      <div className={css.stage}>
        {/* A suggestion can move and zoom; only the owner can rotate. */}
        <CropStage image={image} crop={crop} onChange={(next) => setCrop({ ...next, quarterTurns: 0, tilt: 0 })} />
      </div>
      <div className={`stack gap-2 ${css.actions}`}>
        <Button label={copy.skip} onClick={onSkip} />
        <Button
          variant="primary"
          label={copy.send}
          onClick={() => onSend(toCropBox(picture, crop, frameHeight(picture, crop)))}
        />
      </div>
    </>
  );
}

/** The frame of an unrotated crop as fractions of the picture, clamped to it against rounding errors. */
function toCropBox(picture: Size, crop: Pick<Crop, "x" | "y">, frameHeight: number): CropBox {
  const height = Math.min(1, frameHeight / picture.height);
  const width = Math.min(1, (frameHeight * PICTURE_CROP_ASPECT) / picture.width);
  const clampedStart = (center: number, size: number) => Math.min(1 - size, Math.max(0, center - size / 2));
  return {
    x: clampedStart(crop.x / picture.width, width),
    y: clampedStart(crop.y / picture.height, height),
    width,
    height,
  };
}

function RequestCrops() {
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
