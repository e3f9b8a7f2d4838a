import { Button } from "@lambda/ui/button";
import { Chip } from "@lambda/ui/chip";
import { Tabs } from "@lambda/ui/tabs";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { HidingNotice } from "../../../../components/HidingNotice.tsx";
import { formatRadius, useUnits } from "../../../../format/distance.ts";
import { currentLocale } from "../../../../format/i18n.ts";
import { useTagNames } from "../../../../format/tag-names.ts";
import { lazyPart } from "../../../../routing/lazy-part.tsx";
import { useSearchCopy } from "../copy.ts";
import css from "./filters.module.css";
import { AGE_SLIDER_MAX, countFilters, FLAGS, withoutFilter } from "./filters.ts";
import type { UrlFilters } from "./use-filters.ts";

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
          aria-label={count > 0 ? copy.filters.openCount(count) : undefined}
          aria-haspopup="dialog"
          label={
            <>
              {/* The space makes the visible text match the aria-label. */}
              {copy.filters.open} {count > 0 && <span className={css.count}>{count}</span>}
            </>
          }
        />
      </div>
      {search.ignored.length > 0 && (
        <p className="py-2 warn" role="status">
          {copy.filters.ignored(
            new Intl.ListFormat(currentLocale()).format(search.ignored.map((name) => copy.filters[name])),
          )}
        </p>
      )}
      {(count > 0 || aside) && (
        <div className="row wrap gap-2">
          <ChosenFilters search={search} />
          {aside}
        </div>
      )}
      {open !== undefined && (
        <FilterPanel open={open} filters={filters} onClose={() => setOpen(false)} onApply={setFilters} />
      )}
    </div>
  );
}

function ChosenFilters({ search: { filters, setFilters } }: { search: UrlFilters }) {
  const copy = useSearchCopy().filters;
  const { tagName } = useTagNames();
  const [units] = useUnits();
  const { characteristics = [], ageMin, ageMax, maxDistanceMeters } = filters;
  const chip = (label: string, remove: () => void) => (
    <Chip key={label} label={label} onRemove={remove} removeLabel={copy.remove(label)} />
  );
  return (
    <>
      {(ageMin !== undefined || ageMax !== undefined) &&
        chip(`${copy.age} ${copy.ages(ageMin ?? 18, ageMax ?? AGE_SLIDER_MAX)}`, () =>
          setFilters(withoutFilter(filters, "age")),
        )}
      {maxDistanceMeters !== undefined &&
        chip(copy.within(formatRadius(maxDistanceMeters, units)), () =>
          setFilters(withoutFilter(filters, "maxDistanceMeters")),
        )}
      {FLAGS.filter((flag) => filters[flag]).map((flag) =>
        chip(copy[flag], () => setFilters(withoutFilter(filters, flag))),
      )}
      {characteristics.map((tag) =>
        chip(tagName(tag), () => setFilters(withoutFilter(filters, "characteristics", tag))),
      )}
    </>
  );
}
