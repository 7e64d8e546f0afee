"use client";

import { type ChangeEvent, type CSSProperties, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import type { LimitField } from "@/components/rate-limits/limit-fields";
import { nameCounted } from "@/components/rate-limits/limit-fields";
import { classNames } from "@/components/ui/class-names";
import { formatCount } from "@/components/ui/values/group-digits";
import { formatPercent } from "@/components/ui/values/percent";
import { limitWindows, rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import type { LimitUsage } from "@/lib/contract/operations/usage/limit-usage";
import { computeShare, findEntry, rateShare, useGrid } from "./grid-context";
import { type DraftCell, hasMovedOn } from "./limit-draft";
import { applies, type LimitPair, nameModel, resolve, savedValue } from "./limit-pair";
import { parseTyped } from "./parse-typed";

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

export const writeLimit = (value: number | null): string =>
  value === null ? "no limit" : formatCount(value);

/** "in any 60 s", below the head of a column. */
export function describeWindow({ name }: LimitField): string {
  return rateLimitTable[name].window === "minute" ? "in any 60 s" : "in any 24 h";
}

/** What the cell holds, for those who hear it: "900, was 600", "no limit, default". */
function describeCell(pair: LimitPair, field: LimitField, cell: DraftCell | undefined): string {
  const saved = savedValue(pair, field.name);
  const was = writeLimit(saved.value);
  if (cell?.fault !== undefined) return `${cell.typed}, not understood. Was ${was}`;
  if (cell) return `${writeLimit(resolve(pair, field.name, cell.to))}, changed from ${was}`;
  const isDeparting = pair.plan?.sets[field.name] !== undefined;
  return `${was}, ${isDeparting ? describeOrigin(pair, field) : saved.isOwn ? "set by hand" : "default"}`;
}

/** Where a saved value is from: "set by hand, the plan Trial has 20". */
export function describeOrigin(pair: LimitPair, { name }: LimitField): string {
  const fromPlan = pair.plan?.sets[name] === undefined ? null : `the plan ${pair.plan.name}`;
  if (!savedValue(pair, name).isOwn) {
    if (pair.kind === "project") return fromPlan ? `as ${fromPlan} says` : "the model’s default";
    return pair.kind === "plan" || pair.model !== "" ? "the default" : "from the configuration";
  }
  const set = { project: "set by hand", plan: "set by the plan", default: "set here" }[pair.kind];
  if (!pair.defaults) return set;
  return `${set}, ${fromPlan ? `${fromPlan} has` : "the default is"} ${writeLimit(pair.defaults[name])}`;
}

type Understood = { readonly isFault: boolean; readonly text: string };

/** What typing this would do: the number with its unit, or why it isn't understood. */
export function describeTyped(
  pair: LimitPair,
  field: LimitField,
  cell: DraftCell | undefined,
  text: string,
): Understood {
  const saved = savedValue(pair, field.name).value;
  const present = cell && cell.fault === undefined ? resolve(pair, field.name, cell.to) : saved;
  const typed = parseTyped(text, { field, present });
  if (typed.kind === "fault") return { isFault: true, text: typed.message };
  if (typed.kind === "unchanged") return { isFault: false, text: `stays ${writeLimit(present)}` };
  if (typed.to === "default") {
    const number = pair.defaults ? describeNumber(field, pair.defaults[field.name]) : "what the model has";
    const plan = pair.plan?.sets[field.name] === undefined ? null : pair.plan.name;
    return { isFault: false, text: `${number}, ${plan === null ? "the default" : `the plan ${plan}`}` };
  }
  return { isFault: false, text: describeNumber(field, typed.to) };
}

/** "12,000 requests in any 24 hours"; "no limit"; "0: nothing passes". */
export function describeNumber({ name }: LimitField, value: number | null): string {
  if (value === null) return "no limit";
  if (value === 0) return "0: nothing passes";
  const { words } = limitWindows[rateLimitTable[name].window];
  return `${formatCount(value)} ${nameCounted(name, value)} ${words}`;
}
