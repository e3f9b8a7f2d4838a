import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { displayName } from "../../../../format/display-name.ts";
import { useSearchCopy } from "../copy.ts";
import { FilterBar } from "../filters/FilterBar.tsx";
import type { Filters } from "../filters/filters.ts";
import { useFilters } from "../filters/use-filters.ts";
import { SearchFailed } from "../SearchStates.tsx";
import { CardStack } from "./CardStack.tsx";
import { useCardCopy } from "./copy.ts";
import css from "./swype.module.css";
import { useDeck } from "./use-deck.ts";

/** One member at a time. Swiping right likes, left dislikes and down skips; up does nothing. */
export default function SwypeScreen() {
  const search = useFilters();
  return (
    <>
      <FilterBar search={search} />
      <div className={`column grow centered ${css.screen}`}>
        {/* Changed filters start a new stack. */}
        <Stack key={search.query} filters={search.filters} />
      </div>
    </>
  );
}

function Stack({ filters }: { filters: Filters }) {
  const { loading } = useSearchCopy();
  const copy = useCardCopy();
  const deck = useDeck(filters);
  return (
    <>
      {deck.isPending ? (
        <div className={`grow ${css.waiting}`}>
          <Skeleton width="100%" height="100%" label={loading} />
        </div>
      ) : deck.error ? (
        <SearchFailed query={deck} />
      ) : deck.cards.length === 0 ? (
        <EmptyState
          figure="lamp"
          title={copy.end}
          text={copy.endHint}
          action={
            <div className="wrap gap-3">
              <Button label={copy.again} onClick={deck.restart} busy={deck.isFetching} />
              {deck.last && <Button variant="quiet" icon="undo" label={copy.undo} onClick={deck.undo} />}
            </div>
          }
        />
      ) : (
        <CardStack deck={deck} />
      )}
      <span className="visually-hidden" aria-live="polite">
        {deck.last && copy.judgedName(copy.judged[deck.last.verdict], displayName(deck.last.member.profileName))}
      </span>
    </>
  );
}
