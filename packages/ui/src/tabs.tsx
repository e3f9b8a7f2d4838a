import { type ReactNode, useEffect, useRef } from "react";
import { classes } from "./classes.ts";
import { Link } from "./link.tsx";
import css from "./tabs.module.css";

export interface TabsProps {
  /** Accessible name of the navigation. */
  label: string;
  tabs: readonly { readonly href: string; readonly label: ReactNode }[];
  current: string;
}

/** Links between related views, each with its own URL. Scrolls sideways to the open one if they do not fit. */
export function Tabs({ label, tabs, current }: TabsProps) {
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is open then
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (open && list.current) list.current.scrollLeft = open.offsetLeft - list.current.offsetLeft - open.offsetWidth;
  }, [current]);
  return (
    <nav ref={list} className={`flex gap-1 ${css.tabs}`} aria-label={label}>
      {tabs.map((tab) => {
        const isOpen = tab.href === current;
        return (
          <Link
            key={tab.href}
            href={tab.href}
            className={classes("focus-inside", css.tab, isOpen && css.open)}
            aria-current={isOpen ? "page" : undefined}
          >
            {tab.label}
          </Link>
        );
      })}
    </nav>
  );
}
