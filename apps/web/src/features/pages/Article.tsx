import type { ReactNode } from "react";
import css from "./pages.module.css";

export interface ArticleSection {
  /** The section's anchor on the page. */
  readonly id?: string;
  readonly title: string;
  readonly paragraphs?: readonly string[];
  readonly items?: readonly string[];
}

interface ArticleProps {
  title: string;
  /** Shown large, before the sections. */
  lead?: string;
  id?: string;
  sections: readonly ArticleSection[];
  children?: ReactNode;
}

/** A text page: one column of comfortable width, with headings that links can target. */
export function Article({ title, lead, id, sections, children }: ArticleProps) {
  return (
    <article className={`full-width ${css.page}`} id={id}>
      <h2 className="type-display">{title}</h2>
      {lead && <p className="mt-4 type-lead">{lead}</p>}
      {sections.map((section) => (
        <section key={section.title} id={section.id} className={`stack gap-3 ${css.prose}`}>
          <h3 className="type-name">{section.title}</h3>
          {section.paragraphs?.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          {section.items && (
            <ul className={`stack gap-2 ${css.items}`}>
              {section.items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          )}
        </section>
      ))}
      {children}
    </article>
  );
}
