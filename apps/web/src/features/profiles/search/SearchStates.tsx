import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { QueryState, type QueryStateProps } from "../../../components/QueryState.tsx";
import { lazyPart } from "../../../routing/lazy-part.tsx";
import { useSearchCopy } from "./copy.ts";
import { countFilters } from "./filters/filters.ts";
import type { UrlFilters } from "./filters/use-filters.ts";

const QuietArea = lazyPart(() => import("./quiet-area/QuietArea.tsx"));

/** @param onFarther continues a search that stopped before its end */
export function NoResults({ search, onFarther }: { search: UrlFilters; onFarther?: (() => void) | false }) {
  const copy = useSearchCopy();
  return (
    <div className="pad-page">
      <EmptyState
        figure="window"
        title={copy.empty}
        text={copy.emptyHint}
        action={
          countFilters(search.filters) > 0 && (
            <>
              {onFarther && <Button variant="primary" label={copy.farther} onClick={onFarther} />}
              <Button label={copy.clear} onClick={() => search.setFilters({})} />
            </>
          )
        }
      />
      {countFilters(search.filters) === 0 && <QuietArea />}
    </div>
  );
}

/** The area counts as quiet if the nearest member is farther away than this. */
const QUIET_AREA_METERS = 50_000;

/** Shown above the results if all members are far away. Not shown with filters, which may be the reason. */
export function QuietAreaNotice({ search, nearest }: { search: UrlFilters; nearest: number | null | undefined }) {
  if (countFilters(search.filters) > 0 || typeof nearest !== "number" || nearest < QUIET_AREA_METERS) return null;
  return <QuietArea />;
}

export function SearchFailed({ query }: Pick<QueryStateProps, "query">) {
  const copy = useSearchCopy();
  return (
    <div className="pad-page">
      <QueryState query={query} failed={copy.failed} />
    </div>
  );
}
