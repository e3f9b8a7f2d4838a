import type { OwnPicture } from "@lambda/contract/pictures";
import { Icon } from "@lambda/ui/icon";
import { useCopy } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import { EditorPicture } from "./EditorPicture.tsx";
import type { AlbumName } from "./order.ts";
import css from "./picture-editor.module.css";
import { ALBUM_ATTRIBUTE, type DragOrder } from "./use-drag-order.ts";

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

/** One album's pictures, and the button that adds more. */
export function EditorAlbum({ name, pictures, hiddenCount, drag, onOpen, onMove, onAdd }: EditorAlbumProps) {
  const copy = useCopy(picturesCopy).editor;
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
            : copy[name === "public" ? "emptyPublic" : "emptyPrivate"]}
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
