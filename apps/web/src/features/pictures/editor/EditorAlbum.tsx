import type { OwnPicture } from "@lambda/contract/pictures";
import { classes } from "@lambda/ui/classes";
import { Icon } from "@lambda/ui/icon";
import { Picture } from "@lambda/ui/picture";
import { pictureSource } from "../../../api/picture-url.ts";
import { usePicturesCopy } from "../copy.ts";
import type { AlbumName } from "./order.ts";
import css from "./picture-editor.module.css";
import { ALBUM_ATTRIBUTE, type DragOrder, PICTURE_ATTRIBUTE } from "./use-drag-order.ts";

export interface EditorAlbumProps {
  name: AlbumName;
  pictures: readonly OwnPicture[];
  /** Number of NSFW pictures that this device does not show. */
  hiddenCount: number;
  drag: DragOrder;
  onOpen: (id: number) => void;
  onMove: (picture: OwnPicture, direction: -1 | 1) => void;
  onAdd: () => void;
}

export function EditorAlbum({ name, pictures, hiddenCount, drag, onOpen, onMove, onAdd }: EditorAlbumProps) {
  const { editor: copy, noPublic, noPrivate } = usePicturesCopy();
  const titleId = `album-${name}`;
  return (
    <section aria-labelledby={titleId} className="stack gap-2" {...{ [ALBUM_ATTRIBUTE]: name }}>
      <h3 id={titleId} className="row gap-2">
        <Icon name={name === "public" ? "globe" : "lock"} size={20} />
        {copy[name]}
      </h3>
      <p className="muted">
        {pictures.length > 0
          ? copy[`${name}Text`]
          : hiddenCount > 0
            ? copy.hiddenNsfw(hiddenCount)
            : name === "public"
              ? noPublic
              : noPrivate}
      </p>
      <ul className={`stack gap-1 plain-list ${css.grid}`}>
        {pictures.map((picture, index) => (
          <EditorPicture
            key={picture.id}
            picture={picture}
            position={index + 1}
            count={pictures.length}
            drag={drag}
            onOpen={() => onOpen(picture.id)}
            onMove={(direction) => onMove(picture, direction)}
          />
        ))}
        <li>
          <button
            type="button"
            className={`center full-width accent film ${css.add}`}
            aria-haspopup="dialog"
            onClick={onAdd}
            aria-label={`${copy.add}: ${copy[name]}`}
          >
            <Icon name="plus" size={28} />
          </button>
        </li>
      </ul>
    </section>
  );
}

interface EditorPictureProps {
  picture: OwnPicture;
  position: number;
  count: number;
  drag: DragOrder;
  onOpen: () => void;
  onMove: (direction: -1 | 1) => void;
}

const DIRECTIONS: Partial<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Pressing it opens the picture's actions. Its grip reorders by dragging or by arrow keys. */
function EditorPicture({ picture, position, count, drag, onOpen, onMove }: EditorPictureProps) {
  const { editor: copy, nsfw, picture: nameOf } = usePicturesCopy();
  const isDragged = drag.draggedId === picture.id;
  const isFirst = position === 1 && picture.audience === "public" && !picture.hiddenByStaff;
  const marks = [
    isFirst && copy.first,
    picture.nsfw && nsfw,
    picture.wantsCrop && copy.wantsCrop,
    picture.hiddenByStaff && copy.staff,
  ].filter((mark) => mark !== false);
  return (
    <li
      className={classes("relative clip radius-1", isDragged && css.dragged, picture.hiddenByStaff && css.hidden)}
      {...{ [PICTURE_ATTRIBUTE]: picture.id }}
    >
      <button
        type="button"
        className={`block full-width focus-inside ${css.open}`}
        aria-label={[nameOf(position, count), ...marks].join(", ")}
        aria-haspopup="dialog"
        onClick={onOpen}
      >
        <Picture
          src={pictureSource(picture.id, true, picture.version)}
          alt=""
          sizes="(width < 40rem) 33vw, 168px"
          placeholder={picture.placeholder}
        />
      </button>
      {marks.length > 0 && (
        <span className={`stack items-start no-pointer ${css.marks}`} aria-hidden="true">
          {marks.map((mark) => (
            <span key={mark} className={`radius-round type-mark bold ${css.mark}`}>
              {mark}
            </span>
          ))}
        </span>
      )}
      {!picture.hiddenByStaff && (
        <button
          type="button"
          className={`center focus-inside ${css.grip}`}
          aria-label={copy.move(position, count)}
          {...drag.grip(picture.id)}
          onKeyDown={(event) => {
            const direction = DIRECTIONS[event.key];
            if (!direction) return;
            event.preventDefault();
            onMove(direction);
          }}
        >
          <Icon name="drag-handle" size={22} />
        </button>
      )}
    </li>
  );
}
