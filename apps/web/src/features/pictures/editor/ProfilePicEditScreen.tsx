import { PROFILE_SAVED_SHOWN_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Fault } from "@lambda/ui/fault";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { Skeleton } from "@lambda/ui/skeleton";
import { useToast } from "@lambda/ui/toast";
import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { trpc } from "../../../api/trpc.ts";
import { allAsOne } from "../../../components/all-as-one.ts";
import { CropControls } from "../../../components/PictureCrop/CropControls.tsx";
import { CropStage } from "../../../components/PictureCrop/CropStage.tsx";
import css from "../../../components/PictureCrop/crop.module.css";
import { drawCrop } from "../../../components/PictureCrop/draw.ts";
import { type Crop, cropFromFractions, initialCrop } from "../../../components/PictureCrop/geometry.ts";
import { useOriginal } from "../../../components/PictureCrop/open-picture.ts";
import { uploadCopy } from "../../../components/PictureUpload/copy.ts";
import type { OpenPicture } from "../../../components/PictureUpload/draw-aside.ts";
import { sendPicture } from "../../../components/PictureUpload/send-picture.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useAbortSignal } from "../../../components/use-abort-signal.ts";
import { formatNumber } from "../../../format/distance.ts";
import { useCopy } from "../../../format/i18n.ts";
import { goTo } from "../../../routing/navigation.ts";
import { parseId } from "../../../routing/paths.ts";
import { useSession } from "../../../session/session.ts";
import { usePicturesCopy } from "../copy.ts";

const EDIT = "/profileEdit";

/** Crops the picture `?id=`. `&crop=x,y,width,height`, as fractions of its sides, starts with a suggested crop. */
export default function ProfilePicEditScreen() {
  const { crop: copy, back } = usePicturesCopy();
  const [query] = useSearchParams();
  const id = parseId(query.get("id"));
  const mine = trpc.pictures.mine.useQuery();
  const picture = mine.data?.items.find((own) => own.id === id);
  const original = useOriginal(picture);
  // Belongs to the screen, because the saved version remounts the editor.
  const { begin } = useAbortSignal();

  if (id === undefined || (mine.data && !picture)) {
    return <EmptyState figure="window" title={copy.missing} action={<Button href={EDIT} label={back} />} />;
  }
  if (mine.isLoadingError || original.isLoadingError) return <QueryState query={allAsOne([mine, original])} />;
  const opened = original.data;
  if (!opened) {
    return (
      <div className={`stack items-center content-start centered ${css.page}`}>
        <div className={`raised radius-2 relative clip ${css.frame}`}>
          <Skeleton width="100%" height="100%" label={copy.loading} />
        </div>
      </div>
    );
  }
  return (
    <CropEditor key={opened.image.src} id={id} opened={opened} suggested={query.get("crop")} beginUpload={begin} />
  );
}

interface CropEditorProps {
  id: number;
  opened: OpenPicture;
  suggested: string | null;
  beginUpload: () => AbortSignal;
}

function CropEditor({ id, opened, suggested, beginUpload }: CropEditorProps) {
  const { crop: copy, editor, replaceFailed } = usePicturesCopy();
  const { uploading } = useCopy(uploadCopy);
  const [progress, setProgress] = useState(0);
  const toast = useToast();
  const utils = trpc.useUtils();
  const { profileId } = useSession();
  const { image } = opened;
  const picture = { width: image.naturalWidth, height: image.naturalHeight };
  const [crop, setCrop] = useState<Crop>(() => cropFromQuery(picture, suggested));
  const [state, setState] = useState<"idle" | "saving" | "failed">("idle");

  useEffect(() => {
    // Leaving the page now would abort the upload.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    if (state === "saving") window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [state]);

  const save = async () => {
    const signal = beginUpload();
    setState("saving");
    setProgress(0);
    try {
      const file = await drawCrop(opened, crop, signal);
      await sendPicture({ file, name: "crop.jpg", profileId, replaceId: id, signal }, setProgress);
      await Promise.all([utils.pictures.invalidate(), utils.profiles.mine.invalidate()]);
      toast({ text: editor.saved, tone: "success", ms: PROFILE_SAVED_SHOWN_MS });
      if (!signal.aborted) goTo(EDIT);
    } catch (error) {
      if (signal.aborted) return;
      console.error(error);
      setState("failed");
    }
  };

  return (
    <div className={`stack items-center content-start centered ${css.page}`}>
      <CropStage image={image} crop={crop} onChange={setCrop} />
      <div className={`stack gap-3 ${css.side}`}>
        <CropControls picture={picture} crop={crop} onChange={setCrop} />
        <Fault text={state === "failed" && replaceFailed} />
        {state === "saving" && <ProgressBar label={uploading} showLabel value={progress} />}
        <div className="stack gap-3 two-columns">
          <Button href={EDIT} label={copy.cancel} />
          <Button variant="primary" busy={state === "saving"} label={copy.save} onClick={() => void save()} />
        </div>
      </div>
      <span
        className="visually-hidden"
        aria-live="polite"
      >{`${formatNumber(crop.zoom, 1)}×, ${crop.quarterTurns * 90 + crop.tilt}°`}</span>
    </div>
  );
}

function cropFromQuery(picture: { width: number; height: number }, suggested: string | null): Crop {
  const [x, y, width, height] = (suggested ?? "").split(",").map(Number);
  const fractions = [x, y, width, height];
  if (!suggested || !fractions.every((value) => value !== undefined && value >= 0 && value <= 1))
    return initialCrop(picture);
  return cropFromFractions(picture, { x: x ?? 0, y: y ?? 0, width: width ?? 1, height: height ?? 1 });
}
