import type { OwnPicture } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { ClosableSheet } from "../../../components/ClosableSheet.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { useNsfw } from "../../../device/nsfw.ts";
import { AccessList } from "../albums/AccessList.tsx";
import { usePicturesCopy } from "../copy.ts";
import { UploadPanel } from "../upload/UploadPanel.tsx";
import { useGalleryUploads } from "../upload/use-gallery-uploads.ts";
import { EditorAlbum } from "./EditorAlbum.tsx";
import { type AlbumName, type Albums, albumsOf, moveByOne } from "./order.ts";
import { PictureActions } from "./PictureActions.tsx";
import css from "./picture-editor.module.css";
import { useDragOrder } from "./use-drag-order.ts";
import { type OwnPictures, useOwnPictures } from "./use-own-pictures.ts";

/**
 * The member's own pictures in Edit Profile: both albums in order, and the actions on each picture. Every change is
 * saved at once. If this device hides NSFW pictures they are not shown, but keep their positions.
 */
export function PictureEditor() {
  const { loadFailed, editor: copy, access } = usePicturesCopy();
  const own = useOwnPictures();
  const [showNsfw, setShowNsfw] = useNsfw();
  const [openId, setOpenId] = useState<number>();
  const [sheet, setSheet] = useState<EditorSheet>();
  const { albums, shownIds, drag, move, announcement } = useOrder(own, showNsfw);

  if (!own.pictures) return <QueryState query={own.query} failed={loadFailed} shape="tiles" count={4} />;

  const { pictures } = own;
  const hiddenCount = pictures.length - shownIds.size;
  const opened = pictures.find(({ id }) => id === openId);
  const renderAlbum = (name: AlbumName) => {
    const all = inOrder(pictures, drag.preview ?? albums, name);
    const visible = all.filter(({ id }) => shownIds.has(id));
    return (
      <EditorAlbum
        name={name}
        pictures={visible}
        hiddenCount={all.length - visible.length}
        drag={drag}
        onOpen={setOpenId}
        onMove={move}
        onAdd={() => setSheet(name)}
      />
    );
  };
  const ends = opened && firstAndLast(albums[opened.audience as AlbumName], shownIds);
  return (
    <div className="stack gap-5">
      {renderAlbum("public")}
      {renderAlbum("private")}
      <div className={`row wrap ${css.footer}`}>
        <Button icon="lock" aria-haspopup="dialog" label={access.title} onClick={() => setSheet("access")} />
        <p className="muted">{copy.dragHelp}</p>
      </div>
      {hiddenCount > 0 && (
        <p className={`row wrap muted ${css.hiddenNote}`}>
          {copy.hiddenNsfw(hiddenCount)}
          <Button variant="quiet" label={copy.showNsfw} onClick={() => setShowNsfw(true)} />
        </p>
      )}
      <span className="visually-hidden" aria-live="polite">
        {announcement}
      </span>
      <PictureActions
        picture={opened}
        isFirst={opened !== undefined && ends?.first === opened.id}
        isLast={opened !== undefined && ends?.last === opened.id}
        own={own}
        albums={albums}
        onMove={move}
        onClose={() => setOpenId(undefined)}
      />
      <EditorSheets sheet={sheet} onClose={() => setSheet(undefined)} />
    </div>
  );
}

/** The order of the pictures in both albums, which the member changes by dragging or by one position at a time. */
function useOrder({ pictures = [], arrange }: OwnPictures, showNsfw: boolean) {
  const copy = usePicturesCopy().editor;
  const [announcement, setAnnouncement] = useState("");
  const albums = albumsOf(pictures);
  const shownIds = new Set(pictures.filter((picture) => showNsfw || !picture.nsfw).map(({ id }) => id));
  const drag = useDragOrder(albums, arrange);
  const move = (picture: OwnPicture, direction: -1 | 1) => {
    const reordered = moveByOne(albums, picture.id, direction, shownIds);
    arrange(reordered, picture.id);
    const list = reordered[picture.audience as AlbumName].filter((id) => shownIds.has(id));
    setAnnouncement(copy.moved(list.indexOf(picture.id) + 1, list.length));
  };
  return { albums, shownIds, drag, move, announcement };
}

/** A sheet over the editor: adding pictures to an album, or the access list of the private album. */
type EditorSheet = AlbumName | "access";

function EditorSheets({ sheet, onClose }: { sheet: EditorSheet | undefined; onClose: () => void }) {
  const { editor, access } = usePicturesCopy();
  const uploads = useGalleryUploads();
  return (
    <>
      <ClosableSheet open={sheet === "public" || sheet === "private"} onClose={onClose} title={editor.add}>
        {sheet !== "access" && <UploadPanel key={sheet} uploads={uploads} audience={sheet ?? "public"} />}
      </ClosableSheet>
      <ClosableSheet open={sheet === "access"} onClose={onClose} title={access.title}>
        <AccessList />
      </ClosableSheet>
    </>
  );
}

/** An album's pictures in the given order, followed by those that staff hid. */
function inOrder(pictures: readonly OwnPicture[], order: Albums, name: AlbumName): OwnPicture[] {
  const byId = new Map(pictures.map((picture) => [picture.id, picture]));
  return [
    ...order[name].flatMap((id) => byId.get(id) ?? []),
    ...pictures.filter((picture) => picture.audience === name && picture.hiddenByStaff),
  ];
}

function firstAndLast(ids: readonly number[] | undefined, shownIds: ReadonlySet<number>) {
  return { first: ids?.find((id) => shownIds.has(id)), last: ids?.findLast((id) => shownIds.has(id)) };
}
