import { createContext, type ReactNode, useContext, useId, useLayoutEffect, useRef } from "react";
import css from "./form-section.module.css";
import { Icon } from "./icon.tsx";

/**
 * Opens the fold around a field that has just been refused and puts the focus there: at once, or when the click that took the focus away
 * folds it. A second click folds it all the same.
 */
export function openFoldOfRefused(field: Element | null): void {
  const fold = field?.closest("details");
  const open = () => {
    const control = fold?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"] button');
    if (!fold || fold.open || !control) return;
    fold.open = true;
    control.focus();
  };
  if (fold?.open) fold.addEventListener("toggle", open, { once: true });
  else open();
}

/** The group's name inside of Folds. */
const FoldGroup = createContext<string | null>(null);

export interface FormSectionProps {
  /** Where links lead. */
  id?: string;
  title: ReactNode;
  text?: ReactNode;
  /** What is chosen at present, shown while the section is folded. */
  value?: ReactNode;
  /** Shown next to the title, e.g. a SaveState. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A section of a long form; on a desktop its title is left of the fields. Inside of Folds it folds to its title and value. */
export function FormSection({ id, title, text, value, aside, children }: FormSectionProps) {
  const headingId = useId();
  const group = useContext(FoldGroup);
  const heading = (
    <h2 id={headingId} className={css.title}>
      {title}
    </h2>
  );
  const lead = text && <p className={`muted ${css.text}`}>{text}</p>;
  const fields = <div className="stack gap-5 content-start min-0 measure letter">{children}</div>;
  if (group === null) {
    return (
      <section id={id} className={`stack gap-4 ${css.section}`} aria-labelledby={headingId}>
        <div>
          <div className={`flex gap-3 between align-baseline ${css.line}`}>
            {heading}
            {aside}
          </div>
          {lead}
        </div>
        {fields}
      </section>
    );
  }
  return (
    <section id={id} className="ruled" aria-labelledby={headingId}>
      <details name={group}>
        <summary className={`fold row gap-3 py-2 tall ${css.summary}`}>
          <span className="stack grow min-0">
            {heading}
            {value !== undefined && value !== false && (
              <span className={`muted break-anywhere ${css.value}`}>{value}</span>
            )}
          </span>
          {aside}
          <Icon name="chevron-down" />
        </summary>
        <div className={`stack gap-4 ${css.folded}`}>
          {lead}
          {fields}
        </div>
      </details>
    </section>
  );
}

export interface FoldsProps {
  /** Id of the section, or of an element around or inside of it, that is open at first. Without it the first one is. */
  open?: string | undefined;
  children: ReactNode;
}

/** Folds the FormSections in it, of which one is open at a time. */
export function Folds({ open, children }: FoldsProps) {
  const group = useId();
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const target = open ? document.getElementById(open) : null;
    const fold = target?.closest("details") ?? (target ?? root.current)?.querySelector("details");
    if (!fold) return;
    fold.open = true;
    if (target) fold.scrollIntoView();
  }, [open]);
  return (
    <FoldGroup value={group}>
      <div ref={root}>{children}</div>
    </FoldGroup>
  );
}
