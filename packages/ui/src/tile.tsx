import { Children, type MouseEventHandler, type ReactNode, useState } from "react";
import { Icon } from "./icon.tsx";
import { initialOf, longestWordEms } from "./initial.ts";
import { Link } from "./link.tsx";
import { Picture, type PictureProps } from "./picture.tsx";
import css from "./tile.module.css";

export interface TileProps
  extends Pick<
    PictureProps,
    "src" | "sizes" | "placeholder" | "preview" | "pixelated" | "eager" | "prefetch" | "transitionName"
  > {
  href: string;
  name: string;
  /** In years; undefined if the member does not show it. */
  age?: number;
  /** Formatted, e.g. "840 ft". */
  distance?: string;
  /** Accessible texts of the marks; each mark is shown if its text is given. */
  online?: string;
  unread?: string;
  liked?: string;
  /** Shown as a ring. */
  tonight?: string;
  checked?: string;
  /** Words of a badge. */
  isNew?: string | undefined;
  onClick?: MouseEventHandler<HTMLAnchorElement>;
}

/** A member as a picture tile with name, age and distance over its lower edge. Narrow tiles hide the age. */
export function Tile(props: TileProps) {
  const { href, name, age, distance, online, unread, liked, tonight, checked, isNew, onClick, ...picture } = props;
  const [isCovered, setCovered] = useState(false);
  const words = [name, age, distance, online, isNew, unread, liked, tonight, checked].filter(
    (word) => word !== undefined && word !== "",
  );
  return (
    <Link
      href={href}
      className={`block relative ${css.tile}`}
      data-ring={tonight ? "" : undefined}
      aria-label={words.join(", ")}
      onClick={onClick}
      onLoadCapture={({ target }) => setCovered(isPixelated(target as HTMLImageElement))}
    >
      <Picture {...picture} alt="" initial={initialOf(name)} />
      {/* The spaces are invisible; they make the visible text match the aria-label. */}
      <span className={css.shade} aria-hidden="true">
        {isNew && <span className={`bold radius-round ${css.new}`} data-word={isNew} />}
        <span className={`bold clip ${css.name}`} style={{ "--ems": longestWordEms(name) } as object} dir="auto">
          {name}
        </span>{" "}
        <span className={css.facts}>
          {age !== undefined && <span className={css.age}>{distance ? `${age} · ` : age}</span>}
          {distance}
        </span>
      </span>
      {online && <span className={`circle ${css.online}`} aria-hidden="true" />}
      {(unread || liked || checked || isCovered) && (
        <span className={css.marks} aria-hidden="true">
          {isCovered && <Icon name="eye-off" size={18} className={css.covered} />}
          {checked && <Icon name="shield" size={18} className={css.checked} />}
          {liked && <Icon name="heart-filled" size={18} className={css.liked} />}
          {unread && <Icon name="chat" size={18} className={css.unread} />}
        </span>
      )}
    </Link>
  );
}

/** Pixelated pictures have a few pixels for the whole width. */
const isPixelated = ({ src, naturalWidth, clientWidth }: HTMLImageElement): boolean =>
  !src.startsWith("data:") && naturalWidth * 10 < clientWidth;

export interface TileGridProps {
  /** Half as many columns. */
  large?: boolean | undefined;
  children: ReactNode;
  label?: string;
  /** Fills what the tiles leave of the last row: as many columns, or all. */
  rest?: { readonly columns: number; readonly content: ReactNode } | undefined;
}

/**
 * A grid with 2 columns below 200 px, 4 below 400 px, 6 below 600 px, else 8, and 2 px gaps. These widths grow with the
 * size of the text. Large tiles have half as many columns. Each child becomes a list item.
 */
export function TileGrid({ children, label, rest, large }: TileGridProps) {
  return (
    <div className="tile-room" data-large={large || undefined}>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the list role where list-style is none */}
      <ul className="stack gap-hair tile-grid plain-list" role="list" aria-label={label}>
        {Children.map(children, (child) => (
          <li>{child}</li>
        ))}
        {rest && (
          <li className={`center ${css.rest}`} style={{ gridColumn: `span ${rest.columns}` }}>
            {rest.content}
          </li>
        )}
      </ul>
    </div>
  );
}
