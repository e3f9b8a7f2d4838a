import { CHARACTERISTIC_CATEGORIES } from "@lambda/contract/characteristics";
import { AGE_MIN_YEARS, TILES_PAGE_SIZE, TILES_REFETCH_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { RangeSlider } from "@lambda/ui/range-slider";
import { Segmented } from "@lambda/ui/segmented";
import { Select } from "@lambda/ui/select";
import { Sheet } from "@lambda/ui/sheet";
import { Switch } from "@lambda/ui/switch";
import { useEffect, useMemo, useState } from "react";
import { useDebounced } from "../../../../components/use-debounced.ts";
import { useDeviceValue } from "../../../../device/device-storage.ts";
import { TILE_SIZE, TILE_SIZES } from "../../../../device/tile-size.ts";
import { formatRadius, METERS_PER_KILOMETER, METERS_PER_MILE, useUnits } from "../../../../format/distance.ts";
import { useTagNames } from "../../../../format/tag-names.ts";
import { useNearest } from "../use-nearest.ts";
import { useFilterCopy } from "./copy.ts";
import css from "./filters.module.css";
import { AGE_SLIDER_MAX, type FilterFlag, type Filters, FLAGS, formatFilters, parseFilters } from "./filters.ts";
import { withoutFilter } from "./without-filter.ts";

interface FilterPanelProps {
  open: boolean;
  filters: Filters;
  onClose: () => void;
  onApply: (filters: Filters) => void;
}

const DISTANCE_STEPS = [1, 2, 5, 10, 25, 50, 100] as const;
const METERS_PER_UNIT = { miles: METERS_PER_MILE, kilometres: METERS_PER_KILOMETER } as const;

/** The panel that edits the filters. Changes apply on "Show", and survive closing. */
export default function FilterPanel({ open, filters, onClose, onApply }: FilterPanelProps) {
  const copy = useFilterCopy();
  const [draft, setDraft] = useState(filters);
  useEffect(() => setDraft(filters), [filters]);

  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={copy.title}
      closeLabel={copy.close}
      footer={
        <div className={`flex gap-3 between ${css.actions}`}>
          <Button variant="quiet" label={copy.clear} onClick={() => setDraft({})} />
          <Button
            variant="primary"
            label={open ? <ShowLabel draft={draft} /> : copy.show}
            onClick={() => {
              onApply(draft);
              onClose();
            }}
          />
        </div>
      }
    >
      <div className={`stack gap-5 ${css.panel}`}>
        <Characteristics draft={draft} onChange={setDraft} />
        <Flags draft={draft} onChange={setDraft} />
        <AgeRange draft={draft} onChange={setDraft} />
        <Distance draft={draft} onChange={setDraft} />
        <TileSizes />
      </div>
    </Sheet>
  );
}

/** How many the draft finds on its first page, which then is there when the sheet closes. */
function ShowLabel({ draft }: { draft: Filters }) {
  const copy = useFilterCopy();
  const query = formatFilters(draft);
  const asked = useDebounced(query);
  const filters = useMemo(() => parseFilters(asked), [asked]);
  const { data, members, hasNextPage } = useNearest(filters, {
    size: TILES_PAGE_SIZE,
    refetchMs: TILES_REFETCH_MS,
    pages: 1,
  });
  // An empty page before the last says nothing of the pages behind it.
  if (!data || asked !== query || (members.length === 0 && hasNextPage)) return copy.show;
  return copy.showCount(members.length, !hasNextPage);
}

interface PartProps {
  draft: Filters;
  onChange: (filters: Filters) => void;
}

function Flags({ draft, onChange }: PartProps) {
  const copy = useFilterCopy();
  const toggle = (flag: FilterFlag) => onChange(draft[flag] ? withoutFilter(draft, flag) : { ...draft, [flag]: true });
  return (
    <section aria-label={copy.title}>
      {FLAGS.map((flag) => (
        <Switch key={flag} label={copy.sentences[flag]} checked={draft[flag] ?? false} onChange={() => toggle(flag)} />
      ))}
    </section>
  );
}

function Characteristics({ draft, onChange }: PartProps) {
  const copy = useFilterCopy();
  const { tagName, categoryName } = useTagNames();
  const chosen = draft.characteristics ?? [];
  const toggle = (tag: string) =>
    onChange(
      chosen.includes(tag)
        ? withoutFilter(draft, "characteristics", tag)
        : { ...draft, characteristics: [...chosen, tag] },
    );
  return (
    <section>
      <h3 className="regular muted">{copy.allMatch}</h3>
      {Object.entries(CHARACTERISTIC_CATEGORIES).map(([category, tags]) => (
        <div key={category} className="stack gap-2 mt-4">
          <h4 className="muted type-mark bold">{categoryName(category)}</h4>
          <ChipRow label={categoryName(category)}>
            {tags.map((tag) => (
              <Chip
                key={tag}
                selected={chosen.includes(tag.toLowerCase())}
                label={tagName(tag)}
                onToggle={() => toggle(tag.toLowerCase())}
              />
            ))}
          </ChipRow>
        </div>
      ))}
    </section>
  );
}

function AgeRange({ draft, onChange }: PartProps) {
  const copy = useFilterCopy();
  const value = [draft.ageMin ?? AGE_MIN_YEARS, draft.ageMax ?? AGE_SLIDER_MAX] as const;
  return (
    <RangeSlider
      label={copy.age}
      min={AGE_MIN_YEARS}
      max={AGE_SLIDER_MAX}
      value={value}
      thumbLabels={[copy.ageMin, copy.ageMax]}
      format={([low, high]) => (low === AGE_MIN_YEARS && high === AGE_SLIDER_MAX ? copy.anyAge : copy.ages(low, high))}
      onChange={([low, high]) => {
        const rest = withoutFilter(draft, "age");
        onChange({
          ...rest,
          ...(low > AGE_MIN_YEARS && { ageMin: low }),
          ...(high < AGE_SLIDER_MAX && { ageMax: high }),
        });
      }}
    />
  );
}

function Distance({ draft, onChange }: PartProps) {
  const copy = useFilterCopy();
  const [units, setUnits] = useUnits();
  const optionOf = (meters: number) => ({ value: String(meters), label: copy.within(formatRadius(meters, units)) });
  const options = DISTANCE_STEPS.map((step) => optionOf(Math.round(step * METERS_PER_UNIT[units])));
  const current = draft.maxDistanceMeters === undefined ? "" : String(draft.maxDistanceMeters);
  const isListed = current === "" || options.some((option) => option.value === current);
  const custom = isListed ? [] : [optionOf(Number(current))];
  return (
    <div className="stack gap-3">
      <Select
        label={copy.maxDistanceMeters}
        value={current}
        options={[{ value: "", label: copy.anyDistance }, ...custom, ...options]}
        onValue={(value) => {
          const rest = withoutFilter(draft, "maxDistanceMeters");
          onChange(value === "" ? rest : { ...rest, maxDistanceMeters: Number(value) });
        }}
      />
      <Segmented
        label={copy.units}
        value={units}
        onChange={setUnits}
        options={[
          { value: "miles", label: copy.miles },
          { value: "kilometres", label: copy.kilometres },
        ]}
      />
    </div>
  );
}

function TileSizes() {
  const copy = useFilterCopy();
  const [size, setSize] = useDeviceValue(TILE_SIZE);
  return (
    <div className="row between gap-3">
      <span aria-hidden="true">{copy.tileSize}</span>
      <Segmented
        label={copy.tileSize}
        value={size}
        onChange={setSize}
        options={TILE_SIZES.map((value) => ({ value, label: copy[value] }))}
      />
    </div>
  );
}
