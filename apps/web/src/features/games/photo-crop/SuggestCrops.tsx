import type { CropBox, CropTask } from "@lambda/contract/games";
import { PICTURE_CROP_ASPECT } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { useEffect, useRef, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { CropStage } from "../../../components/PictureCrop/CropStage.tsx";
import { type Crop, frameHeight, initialCrop, type Size } from "../../../components/PictureCrop/geometry.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useAction } from "../../../components/use-action.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { MEDIA_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import { useGamesCopy } from "../copy.ts";
import { HowItWorks } from "../layout/GameLayout.tsx";
import { usePhotoCropCopy } from "./copy.ts";
import css from "./crop-game.module.css";

export function SuggestCrops() {
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
  const latestOnSkip = useRef(onSkip);
  latestOnSkip.current = onSkip;
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
      () => isCurrent && latestOnSkip.current(),
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
