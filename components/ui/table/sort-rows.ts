export type Sort = { column: string; descending: boolean };
export type SortValue = string | number | bigint | null;

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Returns a sorted copy: numbers by size, text in natural order (`gpt-5` before `gpt-10`), `null` always last. */
export function sortRows<Row>(
  rows: readonly Row[],
  sortValue: (row: Row) => SortValue,
  { descending }: Pick<Sort, "descending">,
): Row[] {
  const direction = descending ? -1 : 1;
  return rows.toSorted((left, right) => {
    const [a, b] = [sortValue(left), sortValue(right)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return (
      direction *
      (typeof a === "string" || typeof b === "string"
        ? collator.compare(String(a), String(b))
        : a < b
          ? -1
          : a > b
            ? 1
            : 0)
    );
  });
}

/** Returns the sort after a click on a column's head: ascending, then descending, and so on. */
export function computeNextSort(current: Sort | undefined, column: string): Sort {
  return { column, descending: current?.column === column && !current.descending };
}

/** Returns the first rows, and after them those of the others that are kept in any case. */
export function cutRows<Row>(
  rows: readonly Row[],
  count: number,
  isKept: (row: Row) => boolean = () => false,
): readonly Row[] {
  return [...rows.slice(0, count), ...rows.slice(count).filter(isKept)];
}
