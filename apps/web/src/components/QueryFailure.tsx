import { ErrorState } from "@lambda/ui/error-state";
import { errorText } from "../api/error-text.ts";
import { useWords } from "../format/words.ts";
import type { QueryStateProps } from "./QueryState.tsx";

interface QueryFailureProps extends Pick<QueryStateProps, "query"> {
  title: string;
  compact: boolean;
}

export default function QueryFailure({ query, title, compact }: QueryFailureProps) {
  return (
    <ErrorState
      title={title}
      text={errorText(query.error)}
      retryLabel={useWords().retry}
      compact={compact}
      retrying={query.isFetching}
      onRetry={() => query.refetch()}
    />
  );
}
