"use client";

import { ChevronDown, ChevronRight, Ellipsis } from "lucide-react";
import { memo, type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { SandboxIcon } from "@/components/models/sandbox-badge";
import { limitFields } from "@/components/rate-limits/limit-fields";
import { classNames } from "@/components/ui/class-names";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { countNouns } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { GridItem } from "./arrange-pairs";
import { BulkMenu } from "./bulk-menu";
import { useGrid } from "./grid-context";
import { NAMES } from "./grid-cursor";
import { LimitCell } from "./limit-cell";
import type { LimitPair } from "./limit-pair";

type Group = Extract<GridItem, { kind: "group" }>;
type Position = { row: number; height: number };

/** A row of the grid at its place among all of them. While the grid scrolls, only new rows are rendered. */
export const GridRow = memo(function GridRow({ item, ...position }: Position & { item: GridItem }) {
  return item.kind === "pair" ? (
    <PairRow pair={item.pair} {...position} />
  ) : (
    <GroupRow group={item} {...position} />
  );
});

function PairRow({ pair, row, height }: Position & { pair: LimitPair }) {
  const { state, draft, use } = useGrid();
  const cells = useFollowed(draft.subscribe, () => draft.row(pair.key));
  const usage = useFollowed(use.subscribe, () => use.row(pair.key));
  const active = useFollowed(state.subscribe, () => state.activeColumnIn(row));
  const selected = useFollowed(state.subscribe, () => state.selectedIn(row));
  const isIn = (column: number) =>
    selected >= 0 && column >= Math.floor(selected / 10) && column <= selected % 10;
  return (
    <div
      role="row"
      data-row={row}
      aria-rowindex={row + 2}
      className="limit-row"
      style={{ transform: `translateY(${row * height}px)`, height }}
    >
      <NameCell pair={pair} isActive={active === NAMES} />
      {limitFields.map((field, column) => (
        <LimitCell
          key={field.name}
          pair={pair}
          field={field}
          column={column}
          cell={cells[field.name]}
          usage={usage}
          isActive={active === column}
          isSelected={isIn(column)}
        />
      ))}
    </div>
  );
}

function NameCell({ pair, isActive }: { pair: LimitPair; isActive: boolean }) {
  const { groupBy } = useGrid();
  const cell = useRef<HTMLDivElement>(null);
  useCursorFocus(cell, isActive);
  // A row above all groups.
  const isAlone =
    pair.kind !== "project" && pair.model === "" && (pair.kind === "default" || groupBy === "model");
  return (
    <div
      ref={cell}
      role="rowheader"
      data-column={NAMES}
      aria-colindex={1}
      className={classNames("limit-name", groupBy !== "none" && !isAlone && "pl-11")}
    >
      {pair.kind === "project" ? (
        <ConsoleLink
          tabIndex={isActive ? 0 : -1}
          href={paths.rateLimit(pair.projectId, pair.model)}
          className="min-w-0 truncate rounded-sm hover:underline"
        >
          <RowName pair={pair} />
        </ConsoleLink>
      ) : (
        <span data-row-name tabIndex={isActive ? 0 : -1} className="min-w-0 truncate rounded-sm">
          <RowName pair={pair} />
        </span>
      )}
      <span className="ml-auto flex shrink-0 items-center gap-1.5 text-xs text-muted">
        {pair.sandbox && <SandboxIcon />}
        {pair.model === "" ? pair.kind : pair.family}
      </span>
    </div>
  );
}

/** The names of a row's project (or plan) and model, except for the one in the group's head. */
export function RowName({ pair }: { pair: LimitPair }) {
  const { groupBy } = useGrid();
  const isEvery = pair.model === "";
  const showsProject = groupBy !== "project" || (pair.kind === "default" && isEvery);
  const showsModel = groupBy !== "model" || isEvery;
  return (
    <>
      {showsProject && (
        <span className={pair.kind === "default" ? "font-semibold" : undefined}>{pair.projectName}</span>
      )}
      {showsProject && showsModel && <span className="text-muted"> · </span>}
      {showsModel &&
        (isEvery ? <span>every model</span> : <span className="font-mono text-xs">{pair.model}</span>)}
    </>
  );
}

function GroupRow({ group, row, height }: Position & { group: Group }) {
  const { state } = useGrid();
  const isActive = useFollowed(state.subscribe, () => state.activeColumnIn(row)) !== null;
  return (
    <div
      role="row"
      data-row={row}
      aria-rowindex={row + 2}
      className="limit-group"
      style={{ transform: `translateY(${row * height}px)`, height }}
    >
      <GroupCell group={group} isActive={isActive} />
    </div>
  );
}

function GroupCell({ group, isActive }: { group: Group; isActive: boolean }) {
  const cell = useRef<HTMLDivElement>(null);
  useCursorFocus(cell, isActive);
  return (
    <div
      ref={cell}
      role="gridcell"
      data-column={NAMES}
      aria-colindex={1}
      aria-colspan={limitFields.length + 1}
      className="flex min-w-0 items-center gap-1"
    >
      <GroupButton group={group} isTabStop={isActive} />
      <GroupMenu group={group} isTabStop={isActive} />
    </div>
  );
}

/** What can be done to all rows of a group. */
export function GroupMenu({ group, isTabStop }: { group: Group; isTabStop: boolean }) {
  return (
    <BulkMenu
      label={group.name}
      tabIndex={isTabStop ? 0 : -1}
      trigger={<Ellipsis aria-hidden className="size-4" />}
      read={() => ({ pairs: group.pairs, columns: limitFields.map((_, column) => column) })}
    />
  );
}

type GroupButtonProps = { group: Group; isTabStop: boolean; note?: string };

/** The name of a group, which opens and closes it. Shown a second time above its rows while they are scrolled. */
export function GroupButton({ group, isTabStop, note }: GroupButtonProps) {
  const { toggleGroup, groupBy } = useGrid();
  const Chevron = group.isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      tabIndex={isTabStop ? 0 : -1}
      aria-expanded={group.isOpen}
      onClick={() => toggleGroup(group.key)}
      className="flex h-full max-w-full items-center gap-2 rounded-sm pr-2 text-left"
    >
      <Chevron aria-hidden className="size-3.5 shrink-0 text-muted" />
      <span className={classNames("truncate font-semibold", groupBy === "model" && "font-mono text-xs")}>
        {group.name}
      </span>
      <span className="shrink-0 text-muted">
        {group.of === "plan" && "plan · "}
        {group.of === "project" && group.pairs[0]?.plan && `follows ${group.pairs[0].plan.name} · `}
        {countNouns(
          group.pairs.filter(
            ({ kind, model }) => model !== "" && (group.of !== "model" || kind === "project"),
          ).length,
          groupBy === "project" ? "model" : "project",
        )}
        <GroupChanges group={group} />
        {note}
      </span>
    </button>
  );
}

function GroupChanges({ group }: { group: Group }) {
  const { draft } = useGrid();
  const changes = useFollowed(draft.subscribe, () => {
    if (draft.rows().size === 0) return 0;
    return group.pairs.reduce((sum, { key }) => sum + Object.keys(draft.row(key)).length, 0);
  });
  return changes > 0 && ` · ${countNouns(changes, "change")}`;
}

function useFollowed<Value>(subscribe: (listener: () => void) => () => void, read: () => Value): Value {
  return useSyncExternalStore(subscribe, read, read);
}

/** Focuses the link or button of a cell once the cursor is on it. */
function useCursorFocus(cell: RefObject<HTMLElement | null>, isActive: boolean): void {
  const { state } = useGrid();
  useLayoutEffect(() => {
    if (isActive && state.holdsFocus())
      cell.current?.querySelector<HTMLElement>("a, button, [data-row-name]")?.focus();
  }, [cell, isActive, state]);
}
