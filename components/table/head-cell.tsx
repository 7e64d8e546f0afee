import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { classNames } from "../ui/class-names";
import type { Column } from "./column";
import { nextSort, type Sort } from "./sort-rows";

type HeadCellProps<Row> = {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
};

const directions = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

/** The head of a column, below the top bar while its rows scroll. */
export function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const sortable = onSort !== undefined && column.sortValue !== undefined;
  const direction = sort?.column !== column.id ? "none" : sort.descending ? "descending" : "ascending";
  const Arrow = directions[direction];
  const words = (
    <span>
      {column.header}
      {column.unit && <span className="ml-1 font-normal">{column.unit}</span>}
    </span>
  );
  return (
    <th
      role="columnheader"
      scope="col"
      title={column.apiName}
      aria-sort={sortable && direction !== "none" ? direction : undefined}
      className={classNames(column.numeric && "numeric", column.width)}
    >
      {sortable ? (
        <button
          type="button"
          onClick={() => onSort(nextSort(sort, column.id))}
          className={classNames(
            "group/sort inline-flex h-6 items-center gap-1 rounded-sm hover:text-foreground",
            column.numeric && "flex-row-reverse",
          )}
        >
          {words}
          <Arrow
            aria-hidden
            className={classNames(
              "size-3.5",
              direction === "none" && "opacity-0 group-hover/sort:opacity-60",
            )}
          />
        </button>
      ) : (
        words
      )}
    </th>
  );
}
