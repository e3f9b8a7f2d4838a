import { type PointerEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { classes } from "./classes.ts";
import { IconButton } from "./icon-button.tsx";
import css from "./sheet.module.css";
import { VisuallyHidden } from "./visually-hidden.tsx";

export interface SheetProps {
  open: boolean;
  /** Asked by Esc, the close button, a press beside it and by dragging it down. The parent then sets `open` to false. */
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  /** The title is read but not drawn. */
  quietTitle?: boolean;
  /** Stays in sight below the scrolling content: the actions. */
  footer?: ReactNode;
  children: ReactNode;
  size?: "normal" | "wide";
}

/** Dragged down further than this share of its height, or faster than this (px/ms), it closes. */
const DRAG_SHARE = 0.3;
const DRAG_SPEED = 0.6;

/**
 * A native modal dialog. The focus goes to the element with `data-focus`, else to the close button. The browser keeps the focus inside and gives it back.
 * From below on a phone, centred on a desktop.
 */
export function Sheet({ open, onClose, title, closeLabel, quietTitle, footer, children, size = "normal" }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const drag = useRef<DragStart>(undefined);
  const id = useId();

  useEffect(() => {
    const element = dialog.current;
    if (open && element && !element.open) {
      element.showModal();
      element.querySelector<HTMLElement>("[data-focus]")?.focus();
    }
    if (!open && element?.open) element.close();
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way, through onCancel
    <dialog
      ref={dialog}
      className={classes(css.sheet, css[size])}
      aria-labelledby={id}
      onCancel={(event) => {
        // The file picker's cancel bubbles too.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        if (event.target === dialog.current && open) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {open && (
        <div className={css.body}>
          <div className={css.head} {...dragToClose(dialog, drag, onClose)}>
            <span className={css.grip} aria-hidden="true" />
            <h2 id={id} className={quietTitle ? css.quiet : css.title}>
              {title}
            </h2>
            <span className={css.close}>
              <IconButton icon="close" label={closeLabel} onClick={onClose} />
            </span>
          </div>
          <div className={css.content}>{children}</div>
          {/* Filled by toast.tsx: what is said outside of a modal dialog is not heard. */}
          <div data-said>
            <VisuallyHidden live="polite">{null}</VisuallyHidden>
          </div>
          {footer && <div className={css.footer}>{footer}</div>}
        </div>
      )}
    </dialog>
  );
}

interface DragStart {
  readonly y: number;
  readonly at: number;
}

/** Pointer handlers of the head; the sheet follows the finger, and springs back after a short pull. */
function dragToClose(
  dialog: RefObject<HTMLDialogElement | null>,
  start: RefObject<DragStart | undefined>,
  onClose: () => void,
) {
  const end = (event: PointerEvent, cancelled: boolean) => {
    const sheet = dialog.current;
    const from = start.current;
    if (!from || !sheet) return;
    const way = event.clientY - from.y;
    const speed = way / Math.max(1, event.timeStamp - from.at);
    start.current = undefined;
    delete sheet.dataset.dragged;
    sheet.style.translate = "";
    if (!cancelled && way > 8 && (way > sheet.offsetHeight * DRAG_SHARE || speed > DRAG_SPEED)) onClose();
  };
  return {
    onPointerDown(event: PointerEvent) {
      if (event.pointerType === "mouse" || (event.target as Element).closest("button")) return;
      start.current = { y: event.clientY, at: event.timeStamp };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const sheet = dialog.current;
      const from = start.current;
      if (!from || !sheet) return;
      sheet.dataset.dragged = "";
      sheet.style.translate = `0 ${Math.max(0, event.clientY - from.y)}px`;
    },
    onPointerUp: (event: PointerEvent) => end(event, false),
    onPointerCancel: (event: PointerEvent) => end(event, true),
  };
}
