import { Button } from "@lambda/ui/button";

interface LoadMoreProps {
  query: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; fetchNextPage(): unknown };
  label: string;
  className?: string | undefined;
}

export function LoadMore({ query, label, className }: LoadMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className={className}>
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  );
}
