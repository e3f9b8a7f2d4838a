import { ErrorState } from "@lambda/ui/error-state";
import { errorText } from "../api/error-text.ts";
import { useCopy } from "../format/i18n.ts";
import { words } from "../format/words.ts";

interface QueryErrorStateProps {
  readonly title: string;
  readonly query: { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown };
}

/** Replaces a screen whose query failed: the reason, and a button that tries again. */
export function QueryErrorState({ title, query }: QueryErrorStateProps) {
  return (
    <ErrorState
      title={title}
      text={errorText(query.error)}
      retryLabel={useCopy(words).retry}
      retrying={query.isFetching}
      onRetry={() => query.refetch()}
    />
  );
}
