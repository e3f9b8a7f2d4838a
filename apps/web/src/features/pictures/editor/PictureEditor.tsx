import type { OwnPicture } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { ErrorState } from "@lambda/ui/error-state";
import { Sheet } from "@lambda/ui/sheet";
import { Skeleton } from "@lambda/ui/skeleton";
import { VisuallyHidden } from "@lambda/ui/visually-hidden";
import { useState } from "react";
import { useNsfw } from "../../../device/nsfw.ts";
import { useCopy } from "../../../format/i18n.ts";
import { AccessList } from "../albums/AccessList.tsx";
import { picturesCopy } from "../copy.ts";
import { UploadPanel } from "../upload/UploadPanel.tsx";
import { useUploads } from "../upload/use-uploads.ts";
import { EditorAlbum } from "./EditorAlbum.tsx";
import { type AlbumName, type Albums, albumsOf, step } from "./order.ts";
import { PictureActions } from "./PictureActions.tsx";
import css from "./picture-editor.module.css";
import { useDragOrder } from "./use-drag-order.ts";
import { useOwnPictures } from "./use-own-pictures.ts";

/**
 * The own pictures in Edit Profile: both albums, in order, with everything that one may do to a picture. Whatever changes is
 * saved at once. NSFW pictures are out of sight unless this device shows them, and keep their places.
 */
export function PictureEditor() {
  const copy = useCopy(picturesCopy).editor;
  const words = useCopy(picturesCopy);
  const own = useOwnPictures();
  const [showNsfw, setShowNsfw] = useNsfw();
  const [openId, setOpenId] = useState<number>();
  const [sheet, setSheet] = useState<EditorSheet>();
  const [announcement, setAnnouncement] = useState("");
  const pictures = own.pictures ?? [];
  const albums = albumsOf(pictures);
  const drag = useDragOrder(albums, own.arrange);

  if (own.failed) return <ErrorState title={copy.failed} onRetry={own.retry} retryLabel={words.upload.retry} />;
  if (!own.pictures) return <Skeleton shape="tiles" count={4} />;

  const shown = new Set(pictures.filter((picture) => showNsfw || !picture.nsfw).map(({ id }) => id));
  const outOfSight = pictures.length - shown.size;
  const opened = pictures.find(({ id }) => id === openId);

  const move = (picture: OwnPicture, way: -1 | 1) => {
    const after = step(albums, picture.id, way, shown);
    own.arrange(after);
    const list = after[picture.audience as AlbumName].filter((id) => shown.has(id));
    setAnnouncement(copy.moved(list.indexOf(picture.id) + 1, list.length));
  };
  const album = (name: AlbumName) => {
    const all = inOrder(pictures, drag.preview ?? albums, name);
    const inSight = all.filter(({ id }) => shown.has(id));
    return (
      <EditorAlbum
        name={name}
        pictures={inSight}
        outOfSight={all.length - inSight.length}
        drag={drag}
        onOpen={setOpenId}
        onMove={move}
        onAdd={() => setSheet(name)}
      />
    );
  };
  const edge = opened && edgesOf(albums[opened.audience as AlbumName], shown);
  return (
    <div className={css.editor}>
      {album("public")}
      {album("private")}
      <div className={css.foot}>
        <Button icon="lock" onClick={() => setSheet("access")}>
          {copy.access}
        </Button>
        <p className={css.help}>{copy.dragHelp}</p>
      </div>
      {outOfSight > 0 && <OutOfSight count={outOfSight} onShow={() => setShowNsfw(true)} />}
      <VisuallyHidden live="polite">{announcement}</VisuallyHidden>
      <PictureActions
        picture={opened}
        isFirst={opened !== undefined && edge?.first === opened.id}
        isLast={opened !== undefined && edge?.last === opened.id}
        own={own}
        albums={albums}
        onMove={move}
        onClose={() => setOpenId(undefined)}
      />
      <EditorSheets sheet={sheet} onClose={() => setSheet(undefined)} />
    </div>
  );
}

function OutOfSight({ count, onShow }: { count: number; onShow: () => void }) {
  const copy = useCopy(picturesCopy).editor;
  return (
    <p className={css.sight}>
      {copy.hiddenNsfw(count)}
      <Button variant="quiet" onClick={onShow}>
        {copy.showNsfw}
      </Button>
    </p>
  );
}

/** What can be opened over the editor: adding pictures to an album, or who may see the private one. */
type EditorSheet = AlbumName | "access";

function EditorSheets({ sheet, onClose }: { sheet: EditorSheet | undefined; onClose: () => void }) {
  const words = useCopy(picturesCopy);
  const { add, close } = words.editor;
  const uploads = useUploads();
  return (
    <>
      <Sheet open={sheet === "public" || sheet === "private"} onClose={onClose} title={add} closeLabel={close}>
        {sheet !== "access" && <UploadPanel key={sheet} uploads={uploads} audience={sheet ?? "public"} />}
      </Sheet>
      <Sheet open={sheet === "access"} onClose={onClose} title={words.access.title} closeLabel={close}>
        <AccessList />
      </Sheet>
    </>
  );
}

/** An album's pictures in this order; those that staff hid come last. */
function inOrder(pictures: readonly OwnPicture[], order: Albums, name: AlbumName): OwnPicture[] {
  const byId = new Map(pictures.map((picture) => [picture.id, picture]));
  return [
    ...order[name].flatMap((id) => byId.get(id) ?? []),
    ...pictures.filter((picture) => picture.audience === name && picture.hiddenByStaff),
  ];
}

function edgesOf(ids: readonly number[] | undefined, shown: ReadonlySet<number>) {
  return { first: ids?.find((id) => shown.has(id)), last: ids?.findLast((id) => shown.has(id)) };
}
