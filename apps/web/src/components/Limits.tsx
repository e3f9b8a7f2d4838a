import type { ReactNode } from "react";
import { defineCopyHook } from "../format/i18n.ts";

const useLimitsCopy = defineCopyHook({
  en: { title: "What this can't do" },
  es: { title: "Lo que esto no puede" },
});

/** What a protection does not do, folded, where it is switched on. */
export function Limits({ children }: { children: ReactNode }) {
  const copy = useLimitsCopy();
  return (
    <details>
      <summary className="py-2 bold">{copy.title}</summary>
      <div className="stack gap-3 muted">{children}</div>
    </details>
  );
}
