import { type PointerEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { IconButton } from "./icon-button.tsx";
import css from "./sheet.module.css";

export interface SheetProps {
  open: boolean;
  /** Called on Esc, the close button, a press outside and a downward drag. The parent must then set `open` to false. */
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  /** Buttons that stay visible below the scrolling content. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A drag further than this fraction of the sheet's height, or faster than this speed (px/ms), closes it. */
const CLOSE_DRAG_FRACTION = 0.3;
const CLOSE_DRAG_SPEED = 0.6;

/**
 * A native modal dialog: at the bottom on a phone, centered on a desktop. Focuses the element with `data-focus`, else the close button;
 * the browser traps the focus and restores it afterwards.
 */
export function Sheet({ open, onClose, title, closeLabel, footer, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const drag = useRef<DragStart>(undefined);
  const isPressedOutside = useRef(false);
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: onCancel handles Esc for keyboard users
    <dialog
      ref={dialog}
      className={`full-width raised clip ${css.sheet}`}
      aria-labelledby={id}
      onCancel={(event) => {
        // Ignores the cancel event of a file picker, which bubbles.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        if (event.target === dialog.current && open) onClose();
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        // A press inside that is released outside, as when text is selected, is a click on the dialog too.
        if (event.target === dialog.current && isPressedOutside.current) onClose();
      }}
    >
      {open && (
        <div className={`column ${css.body}`}>
          <div className={`row gap-3 between tall relative ${css.head}`} {...dragToClose(dialog, drag, onClose)}>
            <span className={css.grip} aria-hidden="true" />
            <h2 id={id} className="min-0">
              {title}
            </h2>
            <IconButton icon="close" label={closeLabel} onClick={onClose} />
          </div>
          <div className={`grow ${css.content}`}>{children}</div>
          {/* toast.tsx writes here, because screen readers ignore live regions outside a modal dialog. */}
          <div data-live-region>
            <span className="visually-hidden" aria-live="polite" />
          </div>
          {footer && <div className={`wrap gap-3 ruled ${css.footer}`}>{footer}</div>}
        </div>
      )}
    </dialog>
  );
}

interface DragStart {
  readonly y: number;
  readonly at: number;
}

/** Pointer handlers for the sheet's head: the sheet follows the finger and springs back after a short drag. */
function dragToClose(
  dialog: RefObject<HTMLDialogElement | null>,
  start: RefObject<DragStart | undefined>,
  onClose: () => void,
) {
  const end = (event: PointerEvent, cancelled: boolean) => {
    const sheet = dialog.current;
    const from = start.current;
    if (!from || !sheet) return;
    const distance = event.clientY - from.y;
    const speed = distance / Math.max(1, event.timeStamp - from.at);
    start.current = undefined;
    delete sheet.dataset.dragged;
    sheet.style.translate = "";
    const isFarEnough = distance > sheet.offsetHeight * CLOSE_DRAG_FRACTION;
    if (!cancelled && distance > 8 && (isFarEnough || speed > CLOSE_DRAG_SPEED)) onClose();
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
