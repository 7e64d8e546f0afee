"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { IconButton } from "@/components/ui/icon-button";
import { formatCount } from "@/components/ui/values/group-digits";
import type { Column } from "./column";

type SelectableRows<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The name of a row, read out: "Select checkout". */
  rowName: (row: Row) => string;
  /** Rows that can't be chosen have no box. */
  isSelectable?: (row: Row) => boolean;
  /** Chosen at first; by default none. */
  initial?: readonly Row[];
};

/** The rows that are chosen among the shown ones, the column of their boxes, and how to choose none. */
export function useRowSelection<Row>({
  rows,
  rowId,
  rowName,
  isSelectable = () => true,
  initial = [],
}: SelectableRows<Row>) {
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set(initial.map(rowId)));
  const selectable = rows.filter(isSelectable);
  // What a filter hides is not chosen: an action must not reach rows that nobody sees.
  const selected = selectable.filter((row) => ids.has(rowId(row)));
  const toggle = (changed: readonly Row[], isChosen: boolean) => {
    const next = new Set(selected.map(rowId));
    for (const row of changed) {
      if (isChosen) next.add(rowId(row));
      else next.delete(rowId(row));
    }
    setIds(next);
  };
  const column: Column<Row> = {
    id: "selected",
    header: "Selected",
    head:
      selectable.length === 0 ? (
        <span className="sr-only">Selected</span>
      ) : (
        <Checkbox
          aria-label="Select all shown rows"
          checked={selected.length === selectable.length}
          indeterminate={selected.length > 0 && selected.length < selectable.length}
          onChange={({ target }) => toggle(selectable, target.checked)}
        />
      ),
    isControl: true,
    width: "w-8",
    phone: "end",
    cell: (row) =>
      isSelectable(row) && (
        <span className="relative z-1 flex" data-chosen={ids.has(rowId(row)) || undefined}>
          <Checkbox
            aria-label={`Select ${rowName(row)}`}
            checked={ids.has(rowId(row))}
            onChange={({ target }) => toggle([row], target.checked)}
          />
        </span>
      ),
  };
  return { selected, column, clear: () => setIds(new Set()) };
}

type SelectionBarProps = { count: number; noun: string; clear: () => void; children: ReactNode };

/** Stands in place of the filters while rows are chosen: how many, and what can be done with them. */
export function SelectionBar({ count, noun, clear, children }: SelectionBarProps) {
  return (
    <div
      role="toolbar"
      aria-label={`Actions for selected ${noun}s`}
      className="mb-3 flex min-h-8 flex-wrap items-center gap-2"
    >
      <IconButton size="small" label="Clear selection" icon={<X />} onClick={clear} />
      <span role="status" className="mr-2 font-medium">
        {formatCount(count)} {count === 1 ? noun : `${noun}s`} selected
      </span>
      {children}
    </div>
  );
}
