import type { CropTask } from "@lambda/contract/games";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { useToast } from "@lambda/ui/toast";
import { useEffect, useRef, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { CropStage } from "../../../components/PictureCrop/CropStage.tsx";
import { type Crop, frameHeight, startCrop } from "../../../components/PictureCrop/geometry.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import { HowItWorks } from "../table/GameTable.tsx";
import table from "../table/game-table.module.css";
import { boxOf } from "./crop-box.ts";
import css from "./crop-game.module.css";

/** Pictures whose owners asked, one after the other under the frame. */
export function CropHelp() {
  const copy = useCopy(gamesCopy);
  const toast = useToast();
  const [nsfw] = useNsfw();
  const tasks = trpc.games.cropTasks.useQuery({ nsfw });
  const [done, setDone] = useState<readonly number[]>([]);
  const suggest = trpc.games.cropSuggest.useMutation({
    onError: (error) => toast({ text: errorText(error), tone: "warn" }),
    onSuccess: () => toast({ text: copy.crop.sent, tone: "success" }),
  });
  const task = tasks.data?.items.find((candidate) => !done.includes(candidate.pictureId));
  const finish = (id: number) => setDone([...done, id]);

  return (
    <div className={table.table}>
      {tasks.isPending && <Skeleton height="60dvh" width="100%" label={copy.loading} />}
      {tasks.data && !task && <EmptyState figure="window" title={copy.crop.none} text={copy.crop.noneText} />}
      {task && (
        <CropQuestion
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
      <HowItWorks text={copy.crop.how} />
    </div>
  );
}

interface CropQuestionProps {
  task: CropTask;
  nsfw: boolean;
  onSend: (box: ReturnType<typeof boxOf>) => void;
  onSkip: () => void;
}

function CropQuestion({ task, nsfw, onSend, onSkip }: CropQuestionProps) {
  const copy = useCopy(gamesCopy).crop;
  const [image, setImage] = useState<HTMLImageElement>();
  const [crop, setCrop] = useState<Crop>();
  const address = `/api/profile-pic/${task.nsfw && nsfw ? "nsfw/" : ""}${task.pictureId}?scale_x=1024`;
  const skip = useRef(onSkip);
  skip.current = onSkip;
  useEffect(() => {
    const loading = new Image();
    loading.src = address;
    let wanted = true;
    loading.decode().then(
      () => {
        if (!wanted) return;
        setImage(loading);
        setCrop(startCrop({ width: loading.naturalWidth, height: loading.naturalHeight }));
      },
      () => wanted && skip.current(),
    );
    return () => {
      wanted = false;
    };
  }, [address]);
  if (!image || !crop) return <Skeleton height="60dvh" width="100%" />;
  const picture = { width: image.naturalWidth, height: image.naturalHeight };
  return (
    <>
      <h2 className={table.question}>{copy.question}</h2>
      <div className={css.stage}>
        {/* A suggestion moves and zooms; turning is the owner's. */}
        <CropStage image={image} crop={crop} onChange={(next) => setCrop({ ...next, quarters: 0, tilt: 0 })} />
      </div>
      <div className={css.acts}>
        <Button onClick={onSkip}>{copy.skip}</Button>
        <Button variant="primary" onClick={() => onSend(boxOf(picture, crop, frameHeight(picture, crop)))}>
          {copy.send}
        </Button>
      </div>
    </>
  );
}
