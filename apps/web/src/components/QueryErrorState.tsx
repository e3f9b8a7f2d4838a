import { ErrorState } from "@lambda/ui/error-state";
import { errorText } from "../api/error-text.ts";

interface QueryErrorStateProps {
  readonly title: string;
  readonly retryLabel: string;
  readonly query: { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown };
}

/** Replaces a screen whose query failed: the reason, and a button that tries again. */
export function QueryErrorState({ title, retryLabel, query }: QueryErrorStateProps) {
  return (
    <ErrorState
      title={title}
      text={errorText(query.error)}
      retryLabel={retryLabel}
      retrying={query.isFetching}
      onRetry={() => query.refetch()}
    />
  );
}
