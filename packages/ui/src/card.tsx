import type { ReactNode } from "react";
import { Badge } from "./badge.tsx";
import css from "./card.module.css";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import { Link } from "./link.tsx";

export interface CardProps {
  href: string;
  icon: IconName;
  title: ReactNode;
  /** One line about the target page. */
  text?: ReactNode;
  /** lead: a wide main card with a backdrop. plain: a line of the deck. quiet: small, for secondary pages. */
  weight?: "lead" | "plain" | "quiet";
  count?: number;
  countLabel?: string;
  /** Decoration behind a lead card's text, e.g. a Radar or a strip of pictures. */
  backdrop?: ReactNode;
}

/** A link to a part of the site. Use one or two lead cards, a few plain ones, and quiet ones for the rest. */
export function Card({ href, icon, title, text, weight = "plain", count, countLabel, backdrop }: CardProps) {
  return (
    <Link href={href} className={classes(css.card, css[weight])}>
      {backdrop && (
        <span className={`cover ${css.backdrop}`} aria-hidden="true">
          {backdrop}
        </span>
      )}
      <Icon name={icon} size={weight === "lead" ? 32 : 24} className={css.icon} />
      <span className={`stack grow min-0 ${css.words}`}>
        <span className={`bold font-display break-anywhere ${css.title}`}>{title}</span>
        {text && <span className={css.text}>{text}</span>}
      </span>
      {!!count && <Badge count={count} label={countLabel} />}
      <Icon name="forward" size={20} className={css.arrow} />
    </Link>
  );
}

/** Lays out cards by weight: lead cards side by side, plain ones as a list, quiet ones as a wrapping row. */
export function CardDeck({ children }: { children: ReactNode }) {
  return <div className={css.deck}>{children}</div>;
}
