import { Button } from "@/components/ui/button";
import { countNouns } from "@/components/ui/values/group-digits";

type LoadMoreProps = {
  shown: number;
  /** A noun for one row, and that for several if it isn't `noun` with an s. */
  noun: string;
  plural?: string | undefined;
  hasMore: boolean;
  pending: boolean;
  onLoadMore: () => void;
};

/** Shown below a table: the number of rows, and a button for the next page if there is one. */
export function LoadMore({ shown, noun, plural, hasMore, pending, onLoadMore }: LoadMoreProps) {
  return (
    <div className="flex items-center justify-between gap-4 px-3 py-2 text-sm text-muted">
      <span role="status">
        {countNouns(shown, noun, plural)}
        {hasMore ? ", more to load" : ""}
      </span>
      {hasMore && (
        <Button size="small" pending={pending} onClick={onLoadMore}>
          Load more
        </Button>
      )}
    </div>
  );
}
