"use client";

import { type FocusEvent, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { limitFields } from "@/components/rate-limits/limit-fields";
import { classNames } from "@/components/ui/class-names";
import type { GridItem, GridSort } from "./arrange-pairs";
import { describeWindow } from "./describe-cell";
import { useGrid } from "./grid-context";
import { GridRow, GroupButton, GroupMenu } from "./grid-row";
import { limitField } from "./limit-pair";
import { ScrollMarks } from "./scroll-marks";
import { SelectionBox } from "./selection-box";
import { commitEdit, createGridKeys } from "./use-grid-keys";
import { createPointer } from "./use-pointer";
import { listRows, useRowWindow } from "./use-row-window";

const ROW_PX = 29;

type GridTableProps = {
  label: string;
  items: readonly GridItem[];
  sort: GridSort | null;
  setSort: (sort: GridSort | null) => void;
};

/** The grid itself. Only the rows in view are rendered, and that of the cursor. */
export function GridTable({ label, items, sort, setSort }: GridTableProps) {
  const grid = useGrid();
  const { state } = grid;
  const scroller = useRef<HTMLDivElement>(null);
  const cursorRow = useSyncExternalStore(
    state.subscribe,
    () => state.active().row,
    () => 0,
  );
  const shown = useRowWindow(scroller, ROW_PX);
  useEffect(() => state.setRowsInView(shown.count), [state, shown.count]);
  const keys = useMemo(() => createGridKeys(grid), [grid]);
  const pointer = useMemo(() => createPointer(grid), [grid]);
  function onBlur({ currentTarget, relatedTarget }: FocusEvent) {
    if (!(relatedTarget instanceof Node) || currentTarget.contains(relatedTarget)) return;
    state.setFocus(false);
    commitEdit(grid);
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <ScrollMarks items={items} />
      <div ref={scroller} className="limit-scroller" {...pointer}>
        <div
          role="grid"
          aria-label={label}
          aria-rowcount={items.length + 1}
          aria-colcount={limitFields.length + 1}
          aria-multiselectable
          className="relative min-w-max"
          onFocus={() => state.setFocus(true)}
          onBlur={onBlur}
          {...keys}
        >
          <GridHead sort={sort} setSort={setSort} />
          <StickyGroup items={items} top={shown.top} />
          <div role="rowgroup" className="relative" style={{ height: items.length * ROW_PX }}>
            {listRows(shown, items.length, cursorRow).map((row) => {
              const item = items[row];
              return item && <GridRow key={itemKey(item)} item={item} row={row} height={ROW_PX} />;
            })}
            <SelectionBox rowHeight={ROW_PX} />
          </div>
        </div>
      </div>
    </div>
  );
}

const itemKey = ({ kind, key }: GridItem) => `${kind} ${key}`;

const nameHeads = { project: "Project, model", model: "Model, project", none: "Project and model" };

function GridHead({ sort, setSort }: Pick<GridTableProps, "sort" | "setSort">) {
  const { groupBy } = useGrid();
  return (
    <div role="rowgroup" className="limit-head">
      <div role="row" aria-rowindex={1} className="limit-columns">
        <div role="columnheader" aria-colindex={1} className="limit-head-name">
          <span className="block font-semibold text-foreground">{nameHeads[groupBy]}</span>
          {sort ? `sorted by ${limitField(sort.column).label.toLowerCase()}` : "sorted by name"}
        </div>
        {limitFields.map((field, column) => {
          const isSorted = sort?.column === column;
          const next = { column, isDescending: isSorted ? !sort.isDescending : true };
          return (
            <div
              key={field.name}
              role="columnheader"
              aria-colindex={column + 2}
              aria-sort={isSorted ? (sort.isDescending ? "descending" : "ascending") : "none"}
              className="limit-head-cell"
            >
              <button
                type="button"
                tabIndex={-1}
                title={`Sort by ${field.label}`}
                className="w-full rounded-sm text-right hover:text-foreground"
                onClick={() => setSort(isSorted && !sort.isDescending ? null : next)}
              >
                <span className={classNames("block font-semibold whitespace-nowrap text-foreground")}>
                  {field.column} {field.per}
                  {isSorted && (sort.isDescending ? " ↓" : " ↑")}
                </span>
                {describeWindow(field)}
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The head of the group whose rows are at the top, once it is scrolled away. */
function StickyGroup({ items, top }: { items: readonly GridItem[]; top: number }) {
  const item = items[top];
  if (!item || item.kind === "group") return null;
  const start = findGroupStart(items, top);
  const group = items[start];
  if (group?.kind !== "group") return null;
  const above = top - start - 1;
  return (
    <div aria-hidden className="limit-sticky">
      <div className="limit-group relative" style={{ height: ROW_PX }}>
        <GroupButton group={group} isTabStop={false} note={above > 0 ? ` · ${above} above` : ""} />
        <GroupMenu group={group} isTabStop={false} />
      </div>
    </div>
  );
}

function findGroupStart(items: readonly GridItem[], from: number): number {
  for (let at = from; at >= 0; at--) if (items[at]?.kind === "group") return at;
  return -1;
}
