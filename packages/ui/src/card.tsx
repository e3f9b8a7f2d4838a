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
  /** One warm line on what waits behind it. */
  text?: ReactNode;
  /** lead: the main one, wide, with a drawing. Plain: a line of the deck. quiet: housekeeping, small. */
  weight?: "lead" | "plain" | "quiet";
  count?: number;
  countLabel?: string;
  /** Decoration behind a lead card's words in place of the icon, e.g. a Radar or a strip of pictures. */
  backdrop?: ReactNode;
}

/** A way into a part of the site. Weight makes the order: one or two lead, a handful plain, the rest quiet. */
export function Card({ href, icon, title, text, weight = "plain", count, countLabel, backdrop }: CardProps) {
  return (
    <Link href={href} className={classes(css.card, css[weight])}>
      {backdrop && (
        <span className={css.backdrop} aria-hidden="true">
          {backdrop}
        </span>
      )}
      <Icon name={icon} size={weight === "lead" ? 32 : 24} className={css.icon} />
      <span className={css.words}>
        <span className={css.title}>{title}</span>
        {text && <span className={css.text}>{text}</span>}
      </span>
      {!!count && <Badge count={count} label={countLabel} />}
      <Icon name="forward" size={20} className={css.arrow} />
    </Link>
  );
}

/** Lays cards of all weights out: leads side by side, plain ones as a deck of lines, quiet ones as a flowing row. */
export function CardDeck({ children }: { children: ReactNode }) {
  return <div className={css.deck}>{children}</div>;
}
