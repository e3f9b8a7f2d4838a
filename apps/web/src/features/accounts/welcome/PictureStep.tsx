import { Button } from "@lambda/ui/button";
import { classes } from "@lambda/ui/classes";
import { DropZone } from "@lambda/ui/drop-zone";
import { Fault } from "@lambda/ui/fault";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { Switch } from "@lambda/ui/switch";
import { useEffect, useRef, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { CropControls } from "../../../components/PictureCrop/CropControls.tsx";
import { CropStage } from "../../../components/PictureCrop/CropStage.tsx";
import { drawCrop } from "../../../components/PictureCrop/draw.ts";
import { type Crop, initialCrop } from "../../../components/PictureCrop/geometry.ts";
import { closePicture, openPicture } from "../../../components/PictureCrop/open-picture.ts";
import { uploadCopy } from "../../../components/PictureUpload/copy.ts";
import type { OpenPicture } from "../../../components/PictureUpload/draw-aside.ts";
import { preparePicture, uploadErrorText, uploadPicture } from "../../../components/PictureUpload/upload.ts";
import { useAbortSignal } from "../../../components/use-abort-signal.ts";
import { currentLocale, useCopy } from "../../../format/i18n.ts";
import { useSession } from "../../../session/session.ts";
import { useWelcomeCopy } from "./copy.ts";
import css from "./welcome.module.css";

/** Asks for a first picture, which is cropped on the device before the upload. */
export function PictureStep({ onDone }: { onDone: () => void }) {
  const { picture: copy } = useWelcomeCopy();
  const [picture, setPicture] = useState<OpenPicture>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => () => closePicture(picture), [picture]);

  const [isOpening, setOpening] = useState(false);
  const { begin } = useAbortSignal();
  const open = async (files: readonly File[]) => {
    const [file] = files;
    if (!file) return;
    const signal = begin();
    setOpening(true);
    try {
      setPicture(await openPicture(await preparePicture(file, signal), signal));
      setFailure(undefined);
    } catch (error) {
      if (signal.aborted) return;
      setFailure(uploadErrorText(error, currentLocale()));
    }
    setOpening(false);
  };
  return (
    <div className={`column gap-4 grow mt-2 ${css.form}`}>
      {picture ? (
        <CropForm key={picture.image.src} opened={picture} onDone={onDone} onOther={() => setPicture(undefined)} />
      ) : (
        <DropZone label={copy.choose} accept="image/*" onFiles={(files) => void open(files)} />
      )}
      {isOpening && <ProgressBar label={copy.opening} showLabel />}
      <Fault text={failure} />
    </div>
  );
}

function CropForm({ opened, onDone, onOther }: { opened: OpenPicture; onDone: () => void; onOther: () => void }) {
  const { picture: copy } = useWelcomeCopy();
  const common = useCopy(uploadCopy);
  const utils = trpc.useUtils();
  const { profileId } = useSession();
  const { image } = opened;
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  const [crop, setCrop] = useState<Crop>(() => initialCrop(size));
  const [nsfw, setNsfw] = useState(false);
  const [harmless, setHarmless] = useState(false);
  /** The uploaded fraction; undefined while nothing is sent. */
  const [progress, setProgress] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const upload = useAbortSignal();
  // A retry sends the same file, which the server then stores once.
  const drawn = useRef<{ readonly crop: Crop; readonly file: Blob }>(undefined);
  const send = async () => {
    const signal = upload.begin();
    setProgress(0);
    try {
      if (drawn.current?.crop !== crop) drawn.current = { crop, file: await drawCrop(opened, crop, signal) };
      const { file } = drawn.current;
      const first = { file, name: "first.jpg", profileId, audience: "public", nsfw, harmless, signal } as const;
      await uploadPicture(first, setProgress);
      void utils.pictures.invalidate();
      void utils.profiles.invalidate();
      if (!signal.aborted) onDone();
    } catch (error) {
      if (signal.aborted) return;
      setFailure(uploadErrorText(error, currentLocale()));
      setProgress(undefined);
    }
  };
  const cancel = () => {
    upload.abort();
    setProgress(undefined);
  };
  return (
    <>
      <div className={css.cropping}>
        <CropStage image={image} crop={crop} onChange={setCrop} />
      </div>
      <details>
        <summary className="row accent">{copy.tools}</summary>
        <CropControls picture={size} crop={crop} onChange={setCrop} />
      </details>
      <Switch label={copy.nsfw} help={copy.nsfwHelp} checked={nsfw} onChange={setNsfw} />
      {!nsfw && <Switch label={copy.harmless} help={copy.harmlessHelp} checked={harmless} onChange={setHarmless} />}
      <Fault text={failure} />
      {progress !== undefined && <ProgressBar label={common.uploading} showLabel value={progress} />}
      <div className={classes(css.primary, "stack gap-3 two-columns")}>
        {progress === undefined ? (
          <Button label={copy.other} onClick={onOther} />
        ) : (
          <Button label={common.cancel} onClick={cancel} />
        )}
        <Button variant="primary" busy={progress !== undefined} label={copy.use} onClick={() => void send()} />
      </div>
    </>
  );
}
