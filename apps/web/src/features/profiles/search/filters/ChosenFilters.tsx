import { Chip } from "@lambda/ui/chip";
import { formatRadius, useUnits } from "../../../../format/distance.ts";
import { currentLocale } from "../../../../format/i18n.ts";
import { useTagNames } from "../../../../format/tag-names.ts";
import { useFilterCopy } from "./copy.ts";
import { AGE_SLIDER_MAX, FLAGS } from "./filters.ts";
import type { UrlFilters } from "./use-filters.ts";
import { withoutFilter } from "./without-filter.ts";

/** What is set, each with a press that removes it, and what the address asked for in vain. */
export default function ChosenFilters({ search: { filters, setFilters, ignored } }: { search: UrlFilters }) {
  const copy = useFilterCopy();
  const { tagName } = useTagNames();
  const [units] = useUnits();
  const { characteristics = [], ageMin, ageMax, maxDistanceMeters } = filters;
  const chip = (label: string, remove: () => void) => (
    <Chip key={label} label={label} onRemove={remove} removeLabel={copy.remove(label)} />
  );
  return (
    <>
      {ignored.length > 0 && (
        <p className="py-2 warn full-width" role="status">
          {copy.ignored(new Intl.ListFormat(currentLocale()).format(ignored.map((name) => copy[name])))}
        </p>
      )}
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
