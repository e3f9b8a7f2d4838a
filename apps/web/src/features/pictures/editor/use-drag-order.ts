import { type PointerEvent, useEffect, useRef, useState } from "react";
import { type AlbumName, type Albums, moveBefore, sameOrder } from "./order.ts";

/** Attributes that mark drop targets. `data-picture` is not used because every picture of the UI package has it. */
export const PICTURE_ATTRIBUTE = "data-ordered-picture";
export const ALBUM_ATTRIBUTE = "data-album";

export interface DragOrder {
  /** The order if the picture were dropped now; undefined when nothing is dragged. */
  readonly preview: Albums | undefined;
  readonly draggedId: number | undefined;
  grip(id: number): { onPointerDown: (event: PointerEvent<HTMLElement>) => void };
}

interface Drag {
  readonly id: number;
  readonly pointerId: number;
  readonly order: Albums;
}

/**
 * Reordering by touch or mouse: pictures make room while one is dragged over them, and dropping it saves. It listens on
 * the window because a picture that moves to the other album is remounted there, which would end a pointer capture.
 */
export function useDragOrder(albums: Albums, onDrop: (albums: Albums, draggedId: number) => void): DragOrder {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef({ albums, onDrop, drag });
  latest.current = { albums, onDrop, drag };
  const pointerId = drag?.pointerId;

  useEffect(() => {
    if (pointerId === undefined) return;
    const move = (event: globalThis.PointerEvent) => {
      const { drag: held } = latest.current;
      if (!held || event.pointerId !== pointerId) return;
      const order = dropAt(held.order, held.id, event.clientX, event.clientY);
      if (order) {
        const moved = { ...held, order };
        // The drop may come before the next render.
        latest.current.drag = moved;
        setDrag(moved);
      }
      scrollAtEdge(event.clientY);
    };
    const end = (event: globalThis.PointerEvent) => {
      if (event.pointerId !== pointerId) return;
      const { drag: held, albums: current, onDrop: drop } = latest.current;
      setDrag(undefined);
      if (event.type === "pointerup" && held && !sameOrder(held.order, current)) drop(held.order, held.id);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
    return () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
  }, [pointerId]);

  return {
    preview: drag?.order,
    draggedId: drag?.id,
    grip: (id) => ({
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        // Touch pointers are captured implicitly, and the grip may be remounted during the drag.
        const { currentTarget: grip, pointerId } = event;
        if (grip.hasPointerCapture(pointerId)) grip.releasePointerCapture(pointerId);
        setDrag({ id, pointerId, order: albums });
      },
    }),
  };
}

/** The order with the picture dropped at a point of the window; undefined if nothing would change. */
function dropAt(albums: Albums, id: number, x: number, y: number): Albums | undefined {
  const elements = document.elementsFromPoint(x, y);
  const album = elements
    .map((element) => element.closest(`[${ALBUM_ATTRIBUTE}]`))
    .find(Boolean)
    ?.getAttribute(ALBUM_ATTRIBUTE) as AlbumName | undefined;
  if (!album) return undefined;
  const target = elements
    .map((element) => element.closest(`[${PICTURE_ATTRIBUTE}]`))
    .find((element) => element && element.getAttribute(PICTURE_ATTRIBUTE) !== String(id));
  if (!target) return albums[album].includes(id) ? undefined : moveBefore(albums, id, album);
  const targetId = Number(target.getAttribute(PICTURE_ATTRIBUTE));
  const list = albums[album];
  const isForward = list.includes(id) && list.indexOf(id) < list.indexOf(targetId);
  return isForward
    ? moveBefore(albums, id, album, list[list.indexOf(targetId) + 1])
    : moveBefore(albums, id, album, targetId);
}

const EDGE_PX = 72;
const SCROLL_PX = 12;

function scrollAtEdge(y: number): void {
  if (y < EDGE_PX) window.scrollBy(0, -SCROLL_PX);
  else if (y > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_PX);
}
