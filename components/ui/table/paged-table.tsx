import { Button } from "@/components/ui/button";
import { openInPlace } from "@/components/ui/drawer/use-open-row";
import { countNouns } from "@/components/ui/values/group-digits";
import { DataTable, type DataTableProps } from "./data-table";

type PagedTableProps<Row> = DataTableProps<Row> & {
  /** The list of which `rows` are the pages loaded so far, as `useReadRows` reads it. */
  read: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  /** A noun for one row: "key". */
  noun: string;
  /** The noun for several; by default `noun` with an s. */
  plural?: string;
  /** How many rows are counted below the table; by default all. */
  shown?: number;
  /** Opens a row next to the list, instead of on its own page. */
  open?: (id: string) => void;
};

/** A table of a list that comes in pages, with the number of its rows and the button for the next page below it. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { read, noun, plural, shown = props.rows.length, open, ...table } = props;
  return (
    <div onClickCapture={open && ((event) => openInPlace(event, open))}>
      <DataTable {...table} />
      <LoadMore
        shown={shown}
        noun={noun}
        plural={plural}
        hasMore={read.hasNextPage}
        pending={read.isFetchingNextPage}
        onLoadMore={() => void read.fetchNextPage()}
      />
    </div>
  );
}

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
