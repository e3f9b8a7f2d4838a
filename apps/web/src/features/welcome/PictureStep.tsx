import { Button } from "@lambda/ui/button";
import { classes } from "@lambda/ui/classes";
import { DropZone } from "@lambda/ui/drop-zone";
import { Switch } from "@lambda/ui/switch";
import { useEffect, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { CropControls } from "../../components/PictureCrop/CropControls.tsx";
import { CropStage } from "../../components/PictureCrop/CropStage.tsx";
import { drawCrop } from "../../components/PictureCrop/draw.ts";
import { type Crop, clampCrop, initialCrop } from "../../components/PictureCrop/geometry.ts";
import { refusalText, uploadErrorText } from "../../components/PictureUpload/check-file.ts";
import { sendPicture } from "../../components/PictureUpload/send-picture.ts";
import { useAbortSignal } from "../../components/use-abort-signal.ts";
import { MEDIA_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { useSession } from "../../session/session.ts";
import { welcomeCopy } from "./copy.ts";
import css from "./welcome.module.css";

/** Asks for a first picture, which is cropped on the device before the upload. */
export function PictureStep({ onDone }: { onDone: () => void }) {
  const { picture: copy } = useCopy(welcomeCopy);
  const [locale] = useLocale();
  const [image, setImage] = useState<HTMLImageElement>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => () => void (image && URL.revokeObjectURL(image.src)), [image]);

  const open = async (files: readonly File[]) => {
    const [file] = files;
    if (!file) return;
    const chosen = new Image();
    chosen.src = URL.createObjectURL(file);
    try {
      await withDeadline(MEDIA_WAIT_MS, () => chosen.decode());
      setFailure(undefined);
      setImage(chosen);
    } catch {
      URL.revokeObjectURL(chosen.src);
      setFailure(refusalText("BROKEN", locale));
    }
  };
  return (
    <div className={css.form}>
      {image ? (
        <CropForm key={image.src} image={image} onDone={onDone} onOther={() => setImage(undefined)} />
      ) : (
        <DropZone label={copy.choose} accept="image/*" onFiles={(files) => void open(files)} />
      )}
      {failure && (
        <p className={css.error} role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}

function CropForm({ image, onDone, onOther }: { image: HTMLImageElement; onDone: () => void; onOther: () => void }) {
  const { picture: copy } = useCopy(welcomeCopy);
  const [locale] = useLocale();
  const utils = trpc.useUtils();
  const { profileId } = useSession();
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  const [crop, setCrop] = useState<Crop>(() => initialCrop(size));
  const [nsfw, setNsfw] = useState(false);
  const [harmless, setHarmless] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const upload = useAbortSignal();
  const send = async () => {
    const signal = upload.begin();
    setBusy(true);
    try {
      const file = await drawCrop(image, crop);
      await sendPicture({ file, name: "first.jpg", profileId, audience: "public", nsfw, harmless, signal });
      void utils.pictures.invalidate();
      void utils.profiles.invalidate();
      if (!signal.aborted) onDone();
    } catch (error) {
      if (signal.aborted) return;
      setFailure(uploadErrorText(error, locale));
      setBusy(false);
    }
  };
  return (
    <>
      <div className={css.cropping}>
        <CropStage image={image} crop={crop} onChange={setCrop} />
      </div>
      <details className={css.tools}>
        <summary>{copy.tools}</summary>
        <CropControls
          crop={crop}
          onChange={(changes) => setCrop(clampCrop(size, { ...crop, ...changes }))}
          onReset={() => setCrop(initialCrop(size))}
        />
      </details>
      <Switch label={copy.nsfw} help={copy.nsfwHelp} checked={nsfw} onChange={setNsfw} />
      {!nsfw && <Switch label={copy.harmless} help={copy.harmlessHelp} checked={harmless} onChange={setHarmless} />}
      {failure && (
        <p className={css.error} role="alert">
          {failure}
        </p>
      )}
      <div className={classes(css.primary, css.pair)}>
        <Button onClick={onOther}>{copy.other}</Button>
        <Button variant="primary" busy={busy} onClick={() => void send()}>
          {copy.use}
        </Button>
      </div>
    </>
  );
}
