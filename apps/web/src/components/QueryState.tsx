import { Skeleton, type SkeletonProps } from "@lambda/ui/skeleton";
import { Suspense } from "react";
import { useWords } from "../format/words.ts";
import { lazyScreen } from "../routing/lazy-part.tsx";

/** Loaded two seconds after the first screen, because calls seldom fail. */
export const QueryFailure = lazyScreen(() => import("./QueryFailure.tsx"));

export interface QueryStateProps extends SkeletonProps {
  query: { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown };
  /** The title if the query has failed. */
  failed?: string;
  /** In a part of a screen. */
  compact?: boolean;
}

/** Stands for what a query has not answered: a skeleton while it loads, then why it failed, with a button that tries again. */
export function QueryState({ query, failed, compact = false, ...skeleton }: QueryStateProps) {
  const copy = useWords();
  const waiting = <Skeleton label={copy.loading} {...skeleton} />;
  if (!query.error) return waiting;
  return (
    <Suspense fallback={waiting}>
      <QueryFailure query={query} title={failed ?? copy.failed} compact={compact} />
    </Suspense>
  );
}
