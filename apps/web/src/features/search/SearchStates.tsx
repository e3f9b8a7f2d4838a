import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { ErrorState } from "@lambda/ui/error-state";
import { errorText } from "../../api/error-text.ts";
import { useCopy } from "../../format/i18n.ts";
import { searchCopy } from "./copy.ts";
import { countFilters } from "./filters/filters.ts";
import type { FiltersInUrl } from "./filters/use-filters.ts";
import css from "./search-states.module.css";

/** Nobody to show, by place or by filters. */
export function NobodyHere({ search }: { search: FiltersInUrl }) {
  const copy = useCopy(searchCopy);
  return (
    <div className={css.state}>
      <EmptyState
        figure="window"
        title={copy.empty}
        text={copy.emptyHint}
        action={countFilters(search.filters) > 0 && <Button onClick={() => search.setFilters({})}>{copy.clear}</Button>}
      />
    </div>
  );
}

export function SearchFailed({ error, retrying, onRetry }: { error: unknown; retrying: boolean; onRetry: () => void }) {
  const copy = useCopy(searchCopy);
  return (
    <div className={css.state}>
      <ErrorState
        title={copy.failed}
        text={errorText(error)}
        retryLabel={copy.retry}
        retrying={retrying}
        onRetry={onRetry}
      />
    </div>
  );
}
