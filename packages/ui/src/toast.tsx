import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";
import css from "./toast.module.css";
import { VisuallyHidden } from "./visually-hidden.tsx";

export interface ToastOptions {
  text: ReactNode;
  tone?: "info" | "success" | "warn" | "danger";
  /** How long it stays, in milliseconds; pauses under the pointer and while its button has the focus. */
  ms?: number;
  /** One act, e.g. undo; it also closes the toast. */
  action?: { readonly label: string; readonly onClick: () => void };
}

interface Shown extends ToastOptions {
  readonly id: number;
}

const DEFAULT_MS = 4000;
const AT_ONCE = 3;

const ToastContext = createContext<((toast: ToastOptions) => void) | undefined>(undefined);

/** Says something once, e.g. `toast({ text: "Saved", ms: 1000 })`. */
export function useToast(): (toast: ToastOptions) => void {
  const show = useContext(ToastContext);
  if (!show) throw new Error("useToast outside of ToastProvider");
  return show;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Shown[]>([]);
  const next = useRef(0);
  const layer = useRef<HTMLDivElement>(null);

  const show = useCallback((toast: ToastOptions) => {
    const id = next.current++;
    setToasts((shown) => [...shown, { ...toast, id }].slice(-AT_ONCE));
  }, []);
  const close = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), []);

  // A popover opened last lies above an open sheet; opening it anew lifts it over a sheet that came after.
  useEffect(() => {
    const element = layer.current;
    if (!element?.showPopover) return;
    if (element.matches(":popover-open")) element.hidePopover();
    if (toasts.length > 0) element.showPopover();
    // A modal sheet silences all around it, so it has a region of its own for these words.
    const region = [...document.querySelectorAll("dialog[open] [data-said] > *")].at(-1);
    const text = toasts.at(-1)?.text;
    if (region && typeof text === "string") region.replaceChildren(text);
  }, [toasts]);

  return (
    <ToastContext value={show}>
      {children}
      {/* A live region must be there before its words, and a closed popover is not. */}
      <VisuallyHidden live="polite">
        <span key={toasts.at(-1)?.id}>{toasts.at(-1)?.text}</span>
      </VisuallyHidden>
      <div ref={layer} popover="manual" className={css.layer}>
        <div className={css.stack}>
          {toasts.map((toast) => (
            <Toast key={toast.id} {...toast} onClose={() => close(toast.id)} />
          ))}
        </div>
      </div>
    </ToastContext>
  );
}

export interface ToastProps extends ToastOptions {
  onClose: () => void;
}

export function Toast({ text, tone = "info", ms = DEFAULT_MS, action, onClose }: ToastProps) {
  const [held, setHeld] = useState(false);
  const closing = useRef(onClose);
  closing.current = onClose;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => closing.current(), ms);
    return () => clearTimeout(timer);
  }, [held, ms]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only holds the clock, offers nothing to do
    <div
      className={classes(css.toast, css[tone])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {tone !== "info" && <Icon name={tone === "success" ? "check" : "warning"} size={20} className={css.icon} />}
      {/* The live region says it. */}
      <span aria-hidden={typeof text === "string"}>{text}</span>
      {action && (
        <button
          type="button"
          className={css.action}
          onClick={() => {
            action.onClick();
            onClose();
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}
