"use client";

import { CircleAlert } from "lucide-react";
import { useMemo, useSyncExternalStore } from "react";
import { describeUsage } from "@/app/(console)/rate-limits/limit-row";
import type { LimitField } from "@/components/rate-limits/limit-fields";
import { ApiName } from "@/components/ui/api-name";
import { classNames } from "@/components/ui/class-names";
import { Kbd } from "@/components/ui/kbd";
import { formatCount } from "@/components/ui/values/group-digits";
import { SelectionMenu } from "./bulk-menu";
import { findEntry, type Grid, useGrid } from "./grid-context";
import { NAMES, toBlock } from "./grid-cursor";
import { describeNumber, describeOrigin, describeTyped, plainText, writeLimit } from "./limit-cell";
import { type DraftCell, hasMovedOn } from "./limit-draft";
import { applies, type LimitPair, limitField, nameModel, resolve, savedValue } from "./limit-pair";
import { parseTyped } from "./parse-typed";
import { selectedBlock } from "./use-grid-keys";
import { describeEffect, effectTone, useEffectOf } from "./use-replay";

/** The line above the grid: which cell the cursor is on, and what it holds or would hold. */
export function EditorLine() {
  const grid = useGrid();
  const { state, draft, use } = grid;
  const active = useSyncExternalStore(state.subscribe, state.active, state.active);
  useSyncExternalStore(state.subscribe, state.edit, state.edit);
  useSyncExternalStore(state.subscribe, state.extent, state.extent);
  useSyncExternalStore(draft.subscribe, draft.counts, draft.counts);
  useSyncExternalStore(use.subscribe, use.counts, use.counts);
  const pair = state.activePair();
  const isLimit = pair !== undefined && active.column !== NAMES;
  const field = isLimit ? limitField(active.column) : undefined;
  return (
    <div className="grid h-12.5 shrink-0 grid-cols-[17.75rem_minmax(0,1fr)] border-t bg-surface text-sm max-lg:grid-cols-[12rem_minmax(0,1fr)]">
      <div className="overflow-hidden border-r py-1.5 pr-2 pl-6 leading-[19px] whitespace-nowrap">
        {pair && (
          <p className="truncate">
            <b className="font-semibold">{pair.projectName}</b> <span className="text-muted">·</span>{" "}
            <span className={classNames("text-xs", pair.model !== "" && "font-mono")}>{nameModel(pair)}</span>
          </p>
        )}
        {field && (
          <p className="truncate text-xs text-muted">
            {field.label}{" "}
            <span className="tracking-tighter">
              <ApiName name={field.name} />
            </span>
          </p>
        )}
      </div>
      <div className="flex items-center gap-3 overflow-hidden pr-4 pl-3 whitespace-nowrap">
        {pair && field ? (
          <CellSentence grid={grid} pair={pair} column={active.column} />
        ) : (
          <span className="text-muted">Select a cell to see its use and what a change would do.</span>
        )}
      </div>
    </div>
  );
}

function CellSentence({ grid, pair, column }: { grid: Grid; pair: LimitPair; column: number }) {
  const { state, draft, use } = grid;
  const field = limitField(column);
  const edit = state.edit();
  const cell = draft.cell(pair.key, field.name);
  const { pairs, columns } = toBlock(state.items(), state.selection());
  const selected = pairs.length * columns.length;
  if (!applies(pair, field)) return <span className="text-muted">Doesn’t apply to {pair.family} models</span>;

  const saved = savedValue(pair, field.name);
  const text = edit?.text ?? plainText(pair, field, cell);
  const understood = edit ? describeTyped(pair, field, cell, edit.text) : null;
  const usage = findEntry(use.row(pair.key), field.name);
  return (
    <>
      <span
        aria-hidden
        className={classNames(
          "flex h-8 w-36 shrink-0 items-center rounded-md border px-2.5 text-base",
          edit ? "border-accent outline-1 outline-accent" : "border-field-border",
        )}
      >
        <span className="truncate">{text}</span>
      </span>
      <span role="status" className="min-w-0 truncate">
        {understood ? (
          <Understanding {...understood} />
        ) : cell?.fault !== undefined ? (
          <Understanding isFault text={cell.fault} />
        ) : (
          <b className="font-semibold">
            {describeNumber(field, cell ? resolve(pair, field.name, cell.to) : saved.value)}
          </b>
        )}
      </span>
      <CellEffect pair={pair} field={field} cell={cell} typed={edit?.text} />
      <span className="truncate text-muted">
        {cell || edit ? `now ${writeLimit(saved.value)}` : describeOrigin(pair, field)}
        {cell && hasMovedOn(pair, field, cell) && " · saved by somebody else meanwhile"}
        {!edit && usage && ` · ${describeUsage(usage)[0]}`}
        {pair.isLocked && " · you may not change it"}
      </span>
      <span className="ml-auto flex shrink-0 items-center gap-1.5 text-muted max-lg:hidden">
        {edit && (
          <>
            <Kbd>Enter</Kbd> this cell
          </>
        )}
        {edit && selected > 1 && (
          <>
            <Kbd>Ctrl Enter</Kbd> all {formatCount(selected)}
          </>
        )}
        {!edit && selected > 1 && (
          <SelectionMenu count={`${formatCount(selected)} cells`} read={() => selectedBlock(grid)} />
        )}
      </span>
    </>
  );
}

type CellEffectProps = {
  pair: LimitPair;
  field: LimitField;
  cell: DraftCell | undefined;
  /** The text in the editor. */
  typed: string | undefined;
};

/** What this cell alone would have done, as it is typed or drafted. */
function CellEffect({ pair, field, cell, typed }: CellEffectProps) {
  const saved = savedValue(pair, field.name);
  const drafted = cell?.fault === undefined ? cell?.to : undefined;
  const present = drafted === undefined ? saved.value : resolve(pair, field.name, drafted);
  const read = typed === undefined ? null : parseTyped(typed, { field, present });
  const to = read?.kind === "set" ? read.to : read?.kind === "fault" ? undefined : drafted;
  // The same list while the value is the same, however often the line is drawn.
  const changes = useMemo(
    () =>
      to === undefined || pair.isLocked
        ? []
        : [
            {
              pair,
              field,
              cell: { base: savedValue(pair, field.name), to },
              from: null,
              to: null,
              isDefault: to === "default",
            },
          ],
    [pair, field, to],
  );
  const effect = useEffectOf(changes);
  if (!effect || changes.length === 0) return null;
  return (
    <span
      role="status"
      aria-label="Effect of this cell"
      className={classNames("truncate", effectTone(effect))}
    >
      {describeEffect(effect)}
    </span>
  );
}

function Understanding({ isFault, text }: { isFault: boolean; text: string }) {
  if (!isFault)
    return (
      <>
        <span className="text-muted">→</span> <b className="font-semibold">{text}</b>
      </>
    );
  return (
    <span className="inline-flex items-center gap-1 text-danger">
      <CircleAlert aria-hidden className="size-4 shrink-0" />
      {text}
    </span>
  );
}
