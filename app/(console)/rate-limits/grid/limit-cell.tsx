"use client";

import { type ChangeEvent, type CSSProperties, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import type { LimitField } from "@/components/rate-limits/limit-fields";
import { classNames } from "@/components/ui/class-names";
import { formatPercent } from "@/components/ui/values/write-figures";
import type { LimitUsage } from "@/lib/contract/operations/usage/limit-usage";
import { describeCell, writeLimit } from "./describe-cell";
import { computeShare, findEntry, rateShare, useGrid } from "./grid-context";
import { type DraftCell, hasMovedOn } from "./limit-draft";
import { applies, type LimitPair, nameModel, resolve, savedValue } from "./limit-pair";

type LimitCellProps = {
  pair: LimitPair;
  field: LimitField;
  column: number;
  cell: DraftCell | undefined;
  usage: LimitUsage | undefined;
  isActive: boolean;
  isSelected: boolean;
};

/** One limit: a default (faint), a number set by hand (strong), "no limit" or "n/a", with its use as a bar. */
export function LimitCell({ pair, field, column, cell, usage, isActive, isSelected }: LimitCellProps) {
  const isApplied = applies(pair, field);
  const isConflict = cell !== undefined && hasMovedOn(pair, field, cell);
  return (
    <div
      role="gridcell"
      data-column={column}
      aria-colindex={column + 2}
      aria-selected={isSelected}
      className={classNames(
        "limit-cell",
        !isApplied && "limit-none text-xs text-muted",
        cell && (cell.fault === undefined ? "limit-changed" : "limit-fault"),
        isConflict && "limit-conflict",
      )}
    >
      {isApplied ? <Content pair={pair} field={field} cell={cell} usage={usage} /> : "n/a"}
      {isActive && isApplied && <CellInput pair={pair} field={field} cell={cell} />}
    </div>
  );
}

type ContentProps = Pick<LimitCellProps, "pair" | "field" | "cell" | "usage">;

function Content({ pair, field, cell, usage }: ContentProps) {
  const saved = savedValue(pair, field.name);
  const value = cell && cell.fault === undefined ? resolve(pair, field.name, cell.to) : saved.value;
  return (
    <>
      {usage && <Bar usage={usage} field={field} max={value} isChanged={cell !== undefined} />}
      {cell && <s className="mr-1.5 text-xs font-normal text-muted">{writeLimit(saved.value)}</s>}
      <span
        className={
          cell
            ? undefined
            : value === null
              ? "text-xs text-muted"
              : saved.isOwn
                ? "font-semibold"
                : pair.plan?.sets[field.name] === undefined
                  ? "text-muted"
                  : undefined
        }
      >
        {cell?.fault === undefined ? writeLimit(value) : cell.typed}
      </span>
    </>
  );
}

const looks = {
  room: { bar: "bg-chart-1/55", word: "" },
  near: { bar: "bg-chart-4", word: "text-warning" },
  "used up": { bar: "bg-danger", word: "text-danger" },
};

type BarProps = Pick<LimitCellProps, "usage" | "field"> & { max: number | null; isChanged: boolean };

/** The use of a limit. A word joins it from 80 % on, where the cell isn't changed. */
function Bar({ usage, field, max, isChanged }: BarProps) {
  const { useShown } = useGrid();
  const entry = findEntry(usage, field.name);
  const share = entry && computeShare(entry, useShown, max);
  if (!share) return null;
  const nearness = rateShare(share);
  const look = looks[nearness];
  return (
    <>
      <span
        aria-hidden
        className={classNames("absolute bottom-0 left-0 h-0.5", look.bar)}
        style={{ width: `${share * 100}%` } as CSSProperties}
      />
      {nearness !== "room" && !isChanged && (
        <span className={classNames("float-left text-xs font-medium", look.word)}>
          {nearness === "used up" ? "used up" : formatPercent(share)}
        </span>
      )}
    </>
  );
}

/**
 * The input of the cursor's cell, the only one of the grid. While nothing is being typed it shows the cell's value, all
 * of it selected: so typing replaces it, an input method works from its first key, and copying is offered everywhere.
 */
function CellInput({ pair, field, cell }: Pick<LimitCellProps, "pair" | "field" | "cell">) {
  const { state } = useGrid();
  const edit = useSyncExternalStore(state.subscribe, state.edit, state.edit);
  const input = useRef<HTMLInputElement>(null);
  const isEditing = edit !== null;
  const hasCaret = edit?.hasCaret ?? false;
  const text = edit?.text ?? plainText(pair, field, cell);

  useLayoutEffect(() => {
    const element = input.current;
    if (!element || !state.holdsFocus()) return;
    element.focus();
    if (!isEditing) element.select();
    else if (hasCaret) element.setSelectionRange(element.value.length, element.value.length);
  }, [state, isEditing, hasCaret]);
  // The value may change under the selection, as by an undo.
  useLayoutEffect(() => {
    if (!isEditing && document.activeElement === input.current) input.current?.select();
  });

  return (
    <input
      ref={input}
      data-cell-input
      aria-label={`${pair.projectName}, ${nameModel(pair)}, ${field.label}: ${describeCell(pair, field, cell)}`}
      aria-invalid={!isEditing && cell?.fault !== undefined ? true : undefined}
      className={classNames("limit-input", !isEditing && "limit-input-idle")}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      readOnly={pair.isLocked}
      value={text}
      onFocus={(event) => !isEditing && event.target.select()}
      onChange={(event: ChangeEvent<HTMLInputElement>) => state.startEdit(event.target.value, hasCaret)}
    />
  );
}

/** The cell's content as it is edited: what was typed, or the number. */
export function plainText(pair: LimitPair, field: LimitField, cell: DraftCell | undefined): string {
  if (cell?.fault !== undefined) return cell.typed;
  return writeLimit(cell ? resolve(pair, field.name, cell.to) : savedValue(pair, field.name).value);
}
