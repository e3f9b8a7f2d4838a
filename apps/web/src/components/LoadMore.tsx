import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { useWords } from "../format/words.ts";
import { type Pages, useLoadMore } from "./use-load-more.ts";

export interface LoadMoreProps {
  query: Pages & {
    readonly isFetchingNextPage: boolean;
    readonly data: { readonly pages: readonly unknown[] } | undefined;
  };
  /** Instead of "Load More". */
  label?: string;
  className?: string | undefined;
}

export function LoadMore({ query, label, className }: LoadMoreProps) {
  const { more } = useWords();
  const count = query.data?.pages.length ?? 0;
  const [wanted, setWanted] = useState(0);
  // Loads again what a refetch canceled, such as that of a message that came meanwhile.
  useLoadMore(wanted > count, query);
  if (!query.hasNextPage) return null;
  const load = () => {
    setWanted(count + 1);
    void query.fetchNextPage();
  };
  return (
    <div className={className}>
      <Button busy={query.isFetchingNextPage} label={label ?? more} onClick={load} />
    </div>
  );
}
