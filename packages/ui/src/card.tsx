import type { ReactNode } from "react";
import { Badge } from "./badge.tsx";
import css from "./card.module.css";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import { Link } from "./link.tsx";

interface CardProps {
  href: string;
  icon: IconName;
  title: ReactNode;
  /** One line about the target page; without it the card is small, for secondary pages. */
  text?: ReactNode;
  count?: number | undefined;
  countLabel?: string | undefined;
}

/** A link to a part of the site. */
export function Card({ href, icon, title, text, count, countLabel }: CardProps) {
  return (
    <Link href={href} className={`row gap-4 ruled undecorated film ${text ? css.plain : css.quiet}`}>
      <Icon name={icon} className={text ? "accent" : "muted"} />
      <span className="stack grow min-0">
        <span className={classes("break-anywhere", css.title, text && "bold font-display type-lead")}>{title}</span>
        {text && <span className={`muted ${css.text}`}>{text}</span>}
      </span>
      {!!count && <Badge count={count} label={countLabel} />}
      {text && <Icon name="forward" size={20} className={`muted ${css.arrow}`} />}
    </Link>
  );
}

interface LeadCardProps {
  href: string;
  title: ReactNode;
  /** One line about the target page. */
  text: ReactNode;
  /** Decoration behind the text. */
  backdrop: ReactNode;
}

/** The wide card of the main part of the site. */
export function LeadCard({ href, title, text, backdrop }: LeadCardProps) {
  return (
    <Link href={href} className={`row gap-4 pad-4 relative clip tint radius-3 undecorated ${css.lead}`}>
      <span className="cover" aria-hidden="true">
        {backdrop}
      </span>
      <span className="stack grow min-0 relative">
        <span className={`bold font-display break-anywhere type-title ${css.title}`}>{title}</span>
        <span className={css.text}>{text}</span>
      </span>
      <Icon name="forward" size={20} className={`relative circle ${css.arrow}`} />
    </Link>
  );
}

/** A lead card across, cards with a line of text side by side, and small ones in columns. */
export function CardDeck({ children }: { children: ReactNode }) {
  return <div className={css.deck}>{children}</div>;
}
