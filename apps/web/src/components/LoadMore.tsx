import { Button } from "@lambda/ui/button";
import { useCopy } from "../format/i18n.ts";
import { words } from "../format/words.ts";

interface LoadMoreProps {
  query: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; fetchNextPage(): unknown };
  /** Instead of "Load More". */
  label?: string;
  className?: string | undefined;
}

export function LoadMore({ query, label, className }: LoadMoreProps) {
  const { more } = useCopy(words);
  if (!query.hasNextPage) return null;
  return (
    <div className={className}>
      <Button busy={query.isFetchingNextPage} label={label ?? more} onClick={() => void query.fetchNextPage()} />
    </div>
  );
}
