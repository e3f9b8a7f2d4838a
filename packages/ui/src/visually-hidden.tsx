import type { ReactNode } from "react";

/** Content for screen readers only. */
export function VisuallyHidden({
  children,
  id,
  live,
}: {
  children: ReactNode;
  id?: string;
  live?: "polite" | "assertive";
}) {
  return (
    <span id={id} className="visually-hidden" aria-live={live}>
      {children}
    </span>
  );
}
