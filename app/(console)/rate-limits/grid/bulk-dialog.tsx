"use client";

import { useState } from "react";
import { limitFields } from "@/components/rate-limits/limit-fields";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { countNouns } from "@/components/ui/values/group-digits";
import { useGrid } from "./grid-context";
import { type LimitPair, limitField } from "./limit-pair";
import { parseTyped } from "./parse-typed";
import { type Block, planCopyFrom, planSetFitting } from "./plan-edits";

/** What is to be done to the cells of a block: set, multiplied, or copied from a project or a model. */
export interface BulkQuestion {
  readonly kind: "set" | "multiply" | "project" | "model";
  readonly block: Block;
}

const titles = { set: "Set", multiply: "Multiply", project: "Copy limits to", model: "Copy limits to" };

/** Asks for a value or a source, and for the limits that get it. What it does goes into the draft. */
export function BulkDialog({ asked: { kind, block }, close }: { asked: BulkQuestion; close: () => void }) {
  const { state, draft, make } = useGrid();
  const [columns, setColumns] = useState<readonly number[]>(block.columns);
  const [text, setText] = useState(kind === "multiply" ? "x" : "");
  const isCopy = kind === "project" || kind === "model";
  const chosen = { pairs: block.pairs, columns };
  const fault = isCopy ? null : findFault(text, columns);
  const isReady = columns.length > 0 && text.trim() !== "" && fault === null;
  function apply() {
    if (!isReady) return;
    if (isCopy) make(planCopyFrom(draft, chosen, state.pairs(), { [kind]: text }), "Copied");
    else make(planSetFitting(draft, chosen, text), kind === "set" ? "Set" : "Multiplied");
    close();
  }
  return (
    <Dialog
      open
      onClose={close}
      title={`${titles[kind]} ${countNouns(block.pairs.length, "row")}`}
      description="Changes go into the draft. Review them before you save."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" disabled={!isReady} onClick={apply}>
            {isCopy ? "Copy" : titles[kind]}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {isCopy ? (
          <SourceSelect kind={kind} pairs={state.pairs()} value={text} choose={setText} />
        ) : (
          <ValueInput kind={kind} text={text} fault={fault} setText={setText} apply={apply} />
        )}
        <ColumnChoice columns={columns} choose={setColumns} />
      </div>
    </Dialog>
  );
}

/** Why a text can't go into any of the columns; null if it can into some. */
function findFault(text: string, columns: readonly number[]): string | null {
  const faults = columns.map((column) => {
    const parsed = parseTyped(text, { field: limitField(column), present: 0 });
    return parsed.kind === "fault" ? parsed.message : null;
  });
  return faults.every((message) => message !== null) ? (faults[0] ?? null) : null;
}

type ValueInputProps = {
  kind: "set" | "multiply";
  text: string;
  fault: string | null;
  setText: (text: string) => void;
  apply: () => void;
};

function ValueInput({ kind, text, fault, setText, apply }: ValueInputProps) {
  // A single sign may be the beginning of anything.
  const isWrong = fault !== null && text.trim().length > 1;
  const help =
    kind === "set"
      ? "12k, 1.5m, none, or default to follow the plan or the default again."
      : "x2, x1.5, +10% or -10%.";
  return (
    <label className="grid gap-1.5 font-medium">
      {kind === "set" ? "To" : "By"}
      <input
        className="field h-9 pointer-coarse:h-11"
        autoComplete="off"
        value={text}
        aria-invalid={isWrong}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => key === "Enter" && apply()}
      />
      <span className={isWrong ? "text-sm font-normal text-danger" : "text-sm font-normal text-muted"}>
        {isWrong ? fault : help}
      </span>
    </label>
  );
}

type SourceSelectProps = {
  kind: "project" | "model";
  pairs: readonly LimitPair[];
  value: string;
  choose: (value: string) => void;
};

function SourceSelect({ kind, pairs, value, choose }: SourceSelectProps) {
  const names = new Map(
    pairs.map((pair) => (kind === "project" ? [pair.projectId, pair.projectName] : [pair.model, pair.model])),
  );
  if (kind === "model") names.delete("");
  return (
    <div className="grid gap-1.5 font-medium">
      From
      <ChoiceSelect
        label="From"
        value={value}
        options={[...names].map(([id, name]) => ({ value: id, label: name }))}
        nothing={kind === "project" ? "Choose a project or plan" : "Choose a model"}
        choose={choose}
      />
      <span className="text-sm font-normal text-muted">
        {kind === "project"
          ? "Each row gets the limits of the same model there."
          : "Each row gets the limits of this model in the same project."}
      </span>
    </div>
  );
}

type ColumnChoiceProps = { columns: readonly number[]; choose: (columns: readonly number[]) => void };

function ColumnChoice({ columns, choose }: ColumnChoiceProps) {
  const all = limitFields.map((_, column) => column);
  return (
    <fieldset className="grid gap-1.5 sm:grid-cols-2">
      <legend className="mb-1.5 font-medium">Limits</legend>
      {all.map((column) => (
        <label key={column} className="flex items-center gap-2">
          <input
            type="checkbox"
            className="checkbox"
            checked={columns.includes(column)}
            onChange={({ target }) =>
              choose(all.filter((one) => (one === column ? target.checked : columns.includes(one))))
            }
          />
          {limitField(column).label}
        </label>
      ))}
    </fieldset>
  );
}
