import { ErrorState } from "@lambda/ui/error-state";
import { Skeleton, type SkeletonProps } from "@lambda/ui/skeleton";
import { errorText } from "../api/error-text.ts";
import { useCopy } from "../format/i18n.ts";
import { words } from "../format/words.ts";

export interface QueryStateProps extends SkeletonProps {
  query: { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown };
  /** The title if the query has failed. */
  failed?: string;
  /** In a part of a screen. */
  compact?: boolean;
}

/** Several calls as one, of which those that failed are tried again. */
export const allAsOne = (queries: readonly QueryStateProps["query"][]): QueryStateProps["query"] => ({
  error: queries.find(({ error }) => error)?.error,
  isFetching: queries.some(({ isFetching }) => isFetching),
  refetch: () => Promise.all(queries.map((query) => query.error && query.refetch())),
});

/** Stands for what a query has not answered: a skeleton while it loads, then why it failed, with a button that tries again. */
export function QueryState({ query, failed, compact = false, ...skeleton }: QueryStateProps) {
  const copy = useCopy(words);
  if (!query.error) return <Skeleton label={copy.loading} {...skeleton} />;
  return (
    <ErrorState
      title={failed ?? copy.failed}
      text={errorText(query.error)}
      retryLabel={copy.retry}
      compact={compact}
      retrying={query.isFetching}
      onRetry={() => query.refetch()}
    />
  );
}
