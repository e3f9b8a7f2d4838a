import type { ReactNode } from "react";
import { LoadMore, type LoadMoreProps } from "./LoadMore.tsx";
import { QueryState, type QueryStateProps } from "./QueryState.tsx";

interface PagesProps<Item> extends Omit<QueryStateProps, "query"> {
  query: Omit<LoadMoreProps["query"], "data"> &
    QueryStateProps["query"] & {
      readonly data: { readonly pages: readonly { readonly items: readonly Item[] }[] } | undefined;
    };
  /** In place of a list without items. A page may be empty although others follow. */
  empty: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
  /** Of the button for more. */
  more?: Omit<LoadMoreProps, "query">;
}

/** A list that loads in pages: its items, what stands for them while they load, fail or are missing, and the button for more. */
export function Pages<Item>({ query, empty, children, more, ...state }: PagesProps<Item>) {
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  if (!query.data || (query.error && items.length === 0)) return <QueryState query={query} shape="rows" {...state} />;
  if (items.length === 0 && !query.hasNextPage) return empty;
  return (
    <>
      {children(items)}
      <LoadMore query={query} {...more} />
    </>
  );
}
