import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";
import css from "./toast.module.css";

export interface ToastOptions {
  text: ReactNode;
  tone?: "info" | "success" | "warn" | "danger";
  /** How long it is shown, in milliseconds; pauses while hovered. */
  ms?: number;
}

interface ShownToast extends ToastOptions {
  readonly id: number;
}

const DEFAULT_MS = 4000;
const TOASTS_MAX = 3;

const ToastContext = createContext<((toast: ToastOptions) => void) | undefined>(undefined);

/** Returns a function that shows a toast, e.g. `toast({ text: "Saved", ms: 1000 })`. */
export function useToast(): (toast: ToastOptions) => void {
  const show = useContext(ToastContext);
  if (!show) throw new Error("useToast outside of ToastProvider");
  return show;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const next = useRef(0);
  const layer = useRef<HTMLDivElement>(null);

  const show = useCallback((toast: ToastOptions) => {
    const id = next.current++;
    // A second press says the same again: one toast is enough, and is shown for longer.
    setToasts((shown) => [...shown.filter(({ text }) => text !== toast.text), { ...toast, id }].slice(-TOASTS_MAX));
  }, []);
  const close = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), []);

  // The popover opened last is on top; reopening it moves it above a sheet that was opened later.
  useEffect(() => {
    const element = layer.current;
    if (!element?.showPopover) return;
    if (element.matches(":is(:popover-open)")) element.hidePopover();
    if (toasts.length > 0) element.showPopover();
    // Screen readers ignore everything outside a modal sheet, so it has its own live region.
    const region = [...document.querySelectorAll("dialog[open] [data-live-region] > *")].at(-1);
    const text = toasts.at(-1)?.text;
    if (region && typeof text === "string") region.replaceChildren(text);
  }, [toasts]);

  return (
    <ToastContext value={show}>
      {children}
      {/* A live region must exist before its text, so it cannot be inside the popover, which may be closed. */}
      <span className="visually-hidden" aria-live="polite">
        <span key={toasts.at(-1)?.id}>{toasts.at(-1)?.text}</span>
      </span>
      <div ref={layer} popover="manual" className={css.layer}>
        <div className="stack gap-2 items-center">
          {toasts.map((toast) => (
            <Toast key={toast.id} {...toast} onClose={() => close(toast.id)} />
          ))}
        </div>
      </div>
    </ToastContext>
  );
}

export function Toast({ text, tone = "info", ms = DEFAULT_MS, onClose }: ToastOptions & { onClose: () => void }) {
  const [isPaused, setPaused] = useState(false);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => close(), ms);
    return () => clearTimeout(timer);
  }, [isPaused, ms]);
  return (
    <div
      className={classes(css.toast, css[tone])}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
    >
      {tone !== "info" && <Icon name={tone === "success" ? "check" : "warning"} size={20} />}
      {/* The live region announces the text. */}
      <span aria-hidden={typeof text === "string"}>{text}</span>
    </div>
  );
}
