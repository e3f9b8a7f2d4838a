import type { QueryStateProps } from "./QueryState.tsx";

type Query = QueryStateProps["query"];

/** Several calls as one, of which those that failed are tried again. */
export const allAsOne = (queries: readonly Query[]): Query => ({
  error: queries.find(({ error }) => error)?.error,
  isFetching: queries.some(({ isFetching }) => isFetching),
  refetch: () => Promise.all(queries.map((query) => query.error && query.refetch())),
});
