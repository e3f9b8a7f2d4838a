import { type KeyboardEvent, useId, useRef } from "react";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import { IconButton, type IconButtonProps } from "./icon-button.tsx";
import { Link } from "./link.tsx";
import css from "./menu.module.css";

export interface MenuItem {
  /** Unique within the menu. */
  readonly label: string;
  readonly icon?: IconName;
  /** For an action; give either this or `href`. */
  readonly onSelect?: () => void;
  /** The action opens a sheet. */
  readonly opensSheet?: boolean;
  /** For a link. */
  readonly href?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

export interface MenuProps extends Pick<IconButtonProps, "tone" | "size" | "badge" | "badgeLabel"> {
  /** Accessible name of the button and the menu. */
  label: string;
  icon?: IconName;
  items: readonly MenuItem[];
}

/** A round button that opens a menu. The menu is a native popover, so the browser handles light dismiss and Esc. */
export function Menu({ label, icon = "dots", items, ...button }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  const positionAndFocus = () => {
    const menu = list.current;
    const box = opener.current?.getBoundingClientRect();
    if (!menu || !box) return;
    const fitsBelow = innerHeight - box.bottom > menu.offsetHeight + 16;
    menu.style.top = `${fitsBelow ? box.bottom + 4 : Math.max(8, box.top - menu.offsetHeight - 4)}px`;
    menu.style.left = `${Math.max(8, Math.min(box.right - menu.offsetWidth, innerWidth - menu.offsetWidth - 8))}px`;
    menu.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')?.focus();
  };

  const moveFocus = (event: KeyboardEvent) => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)') ?? [])];
    const index = entries.indexOf(document.activeElement as HTMLElement);
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      entries.at(target % entries.length)?.focus();
    }
    if (event.key === "Tab") list.current?.hidePopover();
  };

  return (
    <>
      <IconButton {...button} ref={opener} icon={icon} label={label} popoverTarget={id} aria-haspopup="menu" />
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={`raised radius-2 ${css.menu}`}
        onToggle={(event) => {
          if (event.newState === "open") positionAndFocus();
        }}
        onKeyDown={moveFocus}
      >
        {items.map((item) => (
          <Item key={item.label} item={item} onClose={() => list.current?.hidePopover()} />
        ))}
      </div>
    </>
  );
}

function Item({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  const itemClass = classes("row gap-3 full-width text-start undecorated film", item.danger && "danger", css.item);
  const content = (
    <>
      {item.icon && <Icon name={item.icon} size={22} />}
      {item.label}
    </>
  );
  if (item.href !== undefined) {
    return (
      <Link role="menuitem" tabIndex={-1} href={item.href} className={itemClass} onClick={onClose}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      disabled={item.disabled}
      aria-haspopup={item.opensSheet && "dialog"}
      className={itemClass}
      onClick={() => {
        onClose();
        item.onSelect?.();
      }}
    >
      {content}
    </button>
  );
}
