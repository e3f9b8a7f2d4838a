import { Button } from "@lambda/ui/button";
import { Tabs } from "@lambda/ui/tabs";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { HidingNotice } from "../../../../components/HidingNotice.tsx";
import { lazyPart } from "../../../../routing/lazy-part.tsx";
import { optionalPart } from "../../../../routing/optional-part.tsx";
import { useSearchCopy } from "../copy.ts";
import css from "./filters.module.css";
import { countFilters } from "./filters.ts";
import type { UrlFilters } from "./use-filters.ts";

const ChosenFilters = optionalPart(() => import("./ChosenFilters.tsx"));
const FilterPanel = lazyPart(() => import("./FilterPanel.tsx"));
const PANEL_PRELOAD_DELAY_MS = 2000;

/** Tabs for the three searches, the active filters, and the panel that changes them. */
export function FilterBar({ search, aside }: { search: UrlFilters; aside?: ReactNode }) {
  const copy = useSearchCopy();
  const [path] = useLocation();
  const [open, setOpen] = useState<boolean>();
  useEffect(() => {
    const timer = window.setTimeout(() => void FilterPanel.preload(), PANEL_PRELOAD_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, []);
  const { filters, query, setFilters } = search;
  const count = countFilters(filters);
  const hrefOf = (searchPath: string) => `${searchPath}${query}`;
  return (
    <div className={`stack gap-2 ${css.bar}`}>
      <HidingNotice />
      <div className={`row gap-2 between min-0 ${css.line}`}>
        <Tabs
          label={copy.ways}
          current={hrefOf(path)}
          tabs={[
            { href: hrefOf("/search/tile"), label: copy.tiles },
            { href: hrefOf("/search/swype"), label: copy.swype },
            { href: hrefOf("/search/profile"), label: copy.details },
          ]}
        />
        <Button
          icon="filter"
          variant="quiet"
          onPointerDown={() => void FilterPanel.preload()}
          onClick={() => setOpen(true)}
          aria-label={count > 0 ? copy.filtersSet(count) : undefined}
          aria-haspopup="dialog"
          label={
            <>
              {/* The space makes the visible text match the aria-label. */}
              {copy.filters} {count > 0 && <span className={css.count}>{count}</span>}
            </>
          }
        />
      </div>
      {(count > 0 || aside || search.ignored.length > 0) && (
        <div className={`row wrap gap-2 ${css.chosen}`}>
          {(count > 0 || search.ignored.length > 0) && <ChosenFilters search={search} />}
          {aside}
        </div>
      )}
      {open !== undefined && (
        <FilterPanel open={open} filters={filters} onClose={() => setOpen(false)} onApply={setFilters} />
      )}
    </div>
  );
}
