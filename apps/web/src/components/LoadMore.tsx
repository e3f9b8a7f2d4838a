import { Button } from "@lambda/ui/button";
import { useWords } from "../format/words.ts";

interface LoadMoreProps {
  query: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; fetchNextPage(): unknown };
  /** Instead of "Load More". */
  label?: string;
  className?: string | undefined;
}

export function LoadMore({ query, label, className }: LoadMoreProps) {
  const { more } = useWords();
  if (!query.hasNextPage) return null;
  return (
    <div className={className}>
      <Button busy={query.isFetchingNextPage} label={label ?? more} onClick={() => void query.fetchNextPage()} />
    </div>
  );
}
