import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { Link } from "./link.tsx";
import css from "./tabs.module.css";

export interface TabsProps {
  /** Accessible name of the navigation. */
  label: string;
  tabs: readonly { readonly href: string; readonly label: ReactNode }[];
  current: string;
}

/** Links between related views, each with its own URL. */
export function Tabs({ label, tabs, current }: TabsProps) {
  return (
    <nav className={`flex gap-1 ${css.tabs}`} aria-label={label}>
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
