import type { CropSuggestion } from "@lambda/contract/games";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Picture } from "@lambda/ui/picture";
import { Switch } from "@lambda/ui/switch";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { drawCrop } from "../../../components/PictureCrop/draw.ts";
import { cropOfParts } from "../../../components/PictureCrop/geometry.ts";
import { sendPicture } from "../../../components/PictureUpload/send-picture.ts";
import { useCopy } from "../../../format/i18n.ts";
import { useSession } from "../../../session/session.ts";
import { gamesCopy } from "../copy.ts";
import table from "../table/game-table.module.css";
import css from "./crop-game.module.css";

/** Suggestions for the own pictures, and which pictures ask for one. */
export function CropMine() {
  const copy = useCopy(gamesCopy).crop;
  const suggestions = trpc.games.cropSuggestions.useQuery();
  const pictures = trpc.pictures.mine.useQuery();
  const utils = trpc.useUtils();
  const toast = useToast();
  const update = trpc.pictures.update.useMutation({
    onSuccess: () => utils.pictures.mine.invalidate(),
    onError: (error) => toast({ text: errorText(error), tone: "warn" }),
  });
  const open = pictures.data?.items.filter((picture) => picture.audience === "public") ?? [];
  return (
    <div className={table.table}>
      <h2 className={css.heading}>{copy.suggestions}</h2>
      {suggestions.data?.items.length === 0 && <p className={css.muted}>{copy.noSuggestions}</p>}
      {suggestions.data?.items.map((suggestion) => (
        <Suggestion key={suggestion.id} suggestion={suggestion} />
      ))}
      <h2 className={css.heading}>{copy.askTitle}</h2>
      <p className={css.muted}>{copy.askText}</p>
      {pictures.data && open.length === 0 && (
        <EmptyState
          figure="cactus"
          title={copy.noPictures}
          action={<Button href="/profilePicUpload">{copy.upload}</Button>}
        />
      )}
      <ul className={css.pictures}>
        {open.map((picture) => (
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
  const copy = useCopy(gamesCopy).crop;
  const toast = useToast();
  const { profileId } = useSession();
  const utils = trpc.useUtils();
  const [busy, setBusy] = useState(false);
  const close = trpc.games.cropClose.useMutation({
    onSettled: () => Promise.all([utils.games.cropSuggestions.invalidate(), utils.pictures.mine.invalidate()]),
    onError: (error) => toast({ text: errorText(error), tone: "warn" }),
  });
  const { id, pictureId, box, width, height } = suggestion;

  /** The original is cut on this device and put in the picture's place, as the crop editor does. */
  const apply = async () => {
    setBusy(true);
    try {
      const image = new Image();
      image.src = `/api/profile/pic/${pictureId}?orig=1`;
      await image.decode();
      const crop = cropOfParts({ width: image.naturalWidth, height: image.naturalHeight }, box);
      await sendPicture({ file: await drawCrop(image, crop), name: "crop.jpg", profileId, replaceId: pictureId });
      await close.mutateAsync({ id, applied: true });
      toast({ text: copy.applied, tone: "success" });
    } catch (error) {
      toast({ text: errorText(error), tone: "danger" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <article className={css.suggestion}>
      <figure>
        <Picture alt="" src={pictureSource(pictureId, true)} aspect={width / height} sizes="12rem" fit="contain" />
        <figcaption>{copy.before}</figcaption>
      </figure>
      <figure>
        <span className={css.cut}>
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
        <figcaption>{copy.after}</figcaption>
      </figure>
      <div className={css.acts}>
        <Button onClick={() => close.mutate({ id, applied: false })}>{copy.decline}</Button>
        <Button variant="primary" busy={busy} onClick={() => void apply()}>
          {copy.apply}
        </Button>
      </div>
    </article>
  );
}
