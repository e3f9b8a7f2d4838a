import type { OwnPicture } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { Picture } from "@lambda/ui/picture";
import { Switch } from "@lambda/ui/switch";
import { useState } from "react";
import { pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { ClosableSheet } from "../../../components/ClosableSheet.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { useAction } from "../../../components/use-action.ts";
import { serverNow } from "../../../device/server-clock.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { usePicturesCopy } from "../copy.ts";
import { type Albums, moveBefore } from "./order.ts";
import css from "./picture-editor.module.css";
import type { OwnPictures } from "./use-own-pictures.ts";

export interface PictureActionsProps {
  picture: OwnPicture | undefined;
  isFirst: boolean;
  isLast: boolean;
  own: OwnPictures;
  albums: Albums;
  onMove: (picture: OwnPicture, direction: -1 | 1) => void;
  onClose: () => void;
}

export function PictureActions({ picture, onClose, ...rest }: PictureActionsProps) {
  const copy = usePicturesCopy().editor;
  return (
    <ClosableSheet open={picture !== undefined} onClose={onClose} title={copy.actions}>
      {picture && (
        <div className="stack gap-4">
          <div className={`radius-2 clip ${css.shown}`}>
            <Picture
              src={pictureSource(picture.id, true, picture.version)}
              alt=""
              sizes="200px"
              aspect={picture.width / picture.height}
              placeholder={picture.placeholder}
            />
          </div>
          <div className="stack gap-2">
            <Button icon="crop" full href={`/profilePicEdit?id=${picture.id}`} label={copy.crop} />
            {!picture.hiddenByStaff && <MoveActions {...rest} picture={picture} onClose={onClose} />}
            <MarkSwitches picture={picture} own={rest.own} />
            <RemoveAction key={picture.id} picture={picture} own={rest.own} onClose={onClose} />
          </div>
        </div>
      )}
    </ClosableSheet>
  );
}

interface PictureSectionProps extends PictureActionsProps {
  picture: OwnPicture;
}

function MoveActions({ picture, isFirst, isLast, own, albums, onMove, onClose }: PictureSectionProps) {
  const copy = usePicturesCopy().editor;
  const isPublic = picture.audience === "public";
  const changeAlbum = () => {
    own.arrange(moveBefore(albums, picture.id, isPublic ? "private" : "public"), picture.id);
    onClose();
  };
  return (
    <>
      <Button
        icon={isPublic ? "lock" : "globe"}
        full
        label={isPublic ? copy.toPrivate : copy.toPublic}
        onClick={changeAlbum}
      />
      <div className="stack gap-2 two-columns">
        <Button icon="back" disabled={isFirst} label={copy.earlier} onClick={() => onMove(picture, -1)} />
        <Button icon="forward" disabled={isLast} label={copy.later} onClick={() => onMove(picture, 1)} />
      </div>
    </>
  );
}

function MarkSwitches({ picture, own }: Pick<PictureSectionProps, "picture" | "own">) {
  const { editor: copy, nsfw, harmless, harmlessHelp } = usePicturesCopy();
  const isPublic = picture.audience === "public";
  return (
    <>
      {picture.nsfwByCommunity && isPublic && <RequestReview pictureId={picture.id} />}
      <Switch
        label={nsfw}
        help={picture.nsfwByCommunity && !isPublic ? copy.nsfwByCommunity : undefined}
        checked={picture.nsfwByOwner}
        onChange={(nsfw) => own.mark(picture, { nsfw })}
      />
      <Switch
        label={harmless}
        help={harmlessHelp}
        checked={picture.harmlessByOwner}
        onChange={(harmless) => own.mark(picture, { harmless })}
      />
      <Switch
        label={copy.askCrop}
        help={copy.askCropHelp}
        checked={picture.wantsCrop}
        onChange={(wantsCrop) => own.mark(picture, { wantsCrop })}
      />
    </>
  );
}

function RemoveAction({ picture, own, onClose }: Pick<PictureSectionProps, "picture" | "own" | "onClose">) {
  const copy = usePicturesCopy().editor;
  const [isConfirming, setConfirming] = useState(false);
  if (!isConfirming) {
    return <Button icon="trash" variant="quiet" label={copy.remove} onClick={() => setConfirming(true)} />;
  }
  const remove = () => {
    own.remove(picture);
    onClose();
  };
  return (
    <div className="stack gap-3 pad-4 tint radius-2 text-center" role="alertdialog" aria-label={copy.removeSure}>
      <p>{copy.removeSure}</p>
      <div className="stack gap-2 two-columns">
        <Button label={copy.keep} onClick={() => setConfirming(false)} />
        <Button variant="danger" icon="trash" autoFocus label={copy.remove} onClick={remove} />
      </div>
    </div>
  );
}

/** Tells the owner that the community marked the picture as NSFW, and requests a review. */
function RequestReview({ pictureId }: { pictureId: number }) {
  const copy = usePicturesCopy().editor.review;
  const marked = trpc.games.markedPictures.useQuery();
  const requestReview = trpc.games.requestReview.useMutation(useAction({ refresh: [trpc.games.markedPictures] }));
  const picture = marked.data?.items.find((item) => item.pictureId === pictureId);
  const nextRequestAt =
    picture?.tsAskAgain && Date.parse(picture.tsAskAgain) > serverNow() ? new Date(picture.tsAskAgain) : undefined;
  return (
    <section className={`stack gap-2 tint radius-2 ${css.review}`} aria-label={copy.title}>
      <strong>{copy.title}</strong>
      <p role="status">
        {picture?.waiting
          ? copy.waiting
          : nextRequestAt
            ? copy.later(nextRequestAt.toLocaleDateString(currentLocale(), { day: "numeric", month: "long" }))
            : copy.text}
      </p>
      {!marked.data && <QueryState compact query={marked} />}
      {picture && !picture.waiting && !nextRequestAt && (
        <Button
          icon="search"
          full
          busy={requestReview.isPending}
          label={copy.ask}
          onClick={() => requestReview.mutate({ pictureId })}
        />
      )}
    </section>
  );
}
