import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { useApiName } from "../api-name";
import { classNames } from "../class-names";
import type { Column } from "./column";
import { computeNextSort, type Sort } from "./sort-rows";

type HeadCellProps<Row> = {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
};

const directions = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

/** A column's head. Stays below the top bar while rows scroll. */
export function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const sortable = onSort !== undefined && (column.sortValue !== undefined || column.isOrdered === true);
  const apiName = useApiName(column.apiName);
  const direction = sort?.column !== column.id ? "none" : sort.descending ? "descending" : "ascending";
  const Arrow = directions[direction];
  const words = column.head ?? (
    <span>
      {column.header}
      {column.unit && (
        <span className={classNames("font-normal", column.unitBelow ? "block" : "max-[1400px]:block")}>
          {" "}
          {column.unit}
        </span>
      )}
    </span>
  );
  return (
    <th
      role="columnheader"
      scope="col"
      title={apiName}
      aria-sort={sortable && direction !== "none" ? direction : undefined}
      className={classNames(
        column.numeric && "numeric",
        column.wide && "on-wide",
        // Text that may break anywhere would otherwise shrink to one letter per line.
        column.width ?? (column.numeric ? undefined : "min-w-32"),
      )}
    >
      {sortable ? (
        <button
          type="button"
          onClick={() => onSort(computeNextSort(sort, column.id))}
          className={classNames(
            "group/sort relative min-h-6 rounded-sm align-middle hover:text-foreground",
            column.numeric ? "text-right" : "text-left",
          )}
        >
          {words}
          <Arrow
            aria-hidden
            className={classNames(
              // Placed between two columns, so that it takes up none of their width.
              "absolute top-1/2 mx-px size-3.5 -translate-y-1/2",
              column.numeric ? "right-full" : "left-full",
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
