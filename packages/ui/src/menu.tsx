import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import { IconButton, type IconButtonProps } from "./icon-button.tsx";
import { Link } from "./link.tsx";
import css from "./menu.module.css";

export interface MenuItem {
  /** Distinct within the menu. */
  readonly id: string;
  readonly label: ReactNode;
  readonly icon?: IconName;
  /** An act, or */
  readonly onSelect?: () => void;
  /** a place to go. */
  readonly href?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

export interface MenuProps extends Pick<IconButtonProps, "tone" | "size" | "badge" | "badgeLabel"> {
  /** Name of the button. */
  label: string;
  icon?: IconName;
  items: readonly MenuItem[];
}

/** A round button with a list of acts: a native popover, so light dismiss and Esc are the browser's. */
export function Menu({ label, icon = "dots", items, ...button }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  const place = () => {
    const menu = list.current;
    const box = opener.current?.getBoundingClientRect();
    if (!menu || !box) return;
    const below = innerHeight - box.bottom > menu.offsetHeight + 16;
    menu.style.top = `${below ? box.bottom + 4 : Math.max(8, box.top - menu.offsetHeight - 4)}px`;
    menu.style.left = `${Math.max(8, Math.min(box.right - menu.offsetWidth, innerWidth - menu.offsetWidth - 8))}px`;
    menu.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')?.focus();
  };

  const move = (event: KeyboardEvent) => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)') ?? [])];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
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
        className={css.menu}
        onToggle={(event) => {
          if (event.newState === "open") place();
        }}
        onKeyDown={move}
      >
        {items.map((item) => (
          <Item key={item.id} item={item} onClose={() => list.current?.hidePopover()} />
        ))}
      </div>
    </>
  );
}

function Item({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  const face = classes(css.item, item.danger && css.danger);
  const content = (
    <>
      {item.icon && <Icon name={item.icon} size={22} />}
      {item.label}
    </>
  );
  if (item.href !== undefined) {
    return (
      <Link role="menuitem" tabIndex={-1} href={item.href} className={face} onClick={onClose}>
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
      className={face}
      onClick={() => {
        onClose();
        item.onSelect?.();
      }}
    >
      {content}
    </button>
  );
}
