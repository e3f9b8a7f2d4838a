import { defineCopy } from "@lambda/contract/copy";
import type { ReactNode } from "react";
import { useCopy } from "../format/i18n.ts";
import css from "./limits.module.css";

const limitsCopy = defineCopy({
  en: { title: "What this cannot do" },
  es: { title: "Lo que esto no puede hacer" },
});

/** What a protection does not do, folded, where it is switched on. */
export function Limits({ children }: { children: ReactNode }) {
  const copy = useCopy(limitsCopy);
  return (
    <details className={css.limits}>
      <summary>{copy.title}</summary>
      <div className={css.text}>{children}</div>
    </details>
  );
}
