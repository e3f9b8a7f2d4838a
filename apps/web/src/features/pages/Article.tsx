import type { ReactNode } from "react";
import css from "./article.module.css";

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
    <article className={css.article} id={id}>
      <h2 className={css.title}>{title}</h2>
      {lead && <p className={css.lead}>{lead}</p>}
      {sections.map((section) => (
        <section key={section.title} id={section.id} className={css.section}>
          <h3>{section.title}</h3>
          {section.paragraphs?.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          {section.items && (
            <ul className={css.items}>
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
