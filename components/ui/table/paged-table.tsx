import { openInPlace } from "@/components/ui/drawer/use-open-row";
import { DataTable, type DataTableProps } from "./data-table";
import { LoadMore } from "./load-more";

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
