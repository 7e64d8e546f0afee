"use client";

import { Copy, Plus, Trash2 } from "lucide-react";
import type { ClipboardEvent } from "react";
import type { FieldErrors } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { findVariableValue } from "@/lib/contract/calls/prompt-variables";
import { MAX_CHECKS, MAX_VALUE_LENGTH } from "@/lib/contract/operations/playground/prompts";
import type { TypedCase } from "./case-values";
import { CheckRow } from "./check-row";
import { readCells } from "./paste-cases";

type CaseRowProps = {
  number: number;
  value: TypedCase;
  /** The variables of the newest version, and those of cases that it no longer has. */
  names: readonly string[];
  disabled: boolean;
  faults: FieldErrors<TypedCase> | undefined;
  change: (next: TypedCase) => void;
  /** Fills the cells of a spreadsheet in from the cell of a variable on. */
  paste: (name: string, cells: string[][]) => void;
  remove: () => void;
  duplicate: () => void;
};

/** A row of the grid: a cell for each variable, and the checks of the answer. */
export function CaseRow(props: CaseRowProps) {
  const { number, value, names, disabled, faults, change, paste, remove, duplicate } = props;
  const { variables, checks } = value;
  return (
    <tr aria-label={`Case ${number}`} className="align-top">
      <th scope="row" className="px-3 py-2 text-right font-normal text-muted tabular-nums">
        {number}
      </th>
      {names.map((name) => (
        <td key={name} className="min-w-48 border-l p-0 focus-within:bg-accent-soft">
          <VariableCell
            name={name}
            value={findVariableValue(variables, name) ?? ""}
            disabled={disabled}
            change={(text) => change({ ...value, variables: { ...variables, [name]: text } })}
            paste={(cells) => paste(name, cells)}
          />
        </td>
      ))}
      <td className="min-w-80 border-l px-2 py-1.5">
        <div className="grid content-start gap-1.5">
          {checks.map((check, index) => (
            <CheckRow
              key={index}
              label={`Check ${index + 1} of case ${number}`}
              value={check}
              disabled={disabled}
              fault={faults?.checks?.[index]?.value?.message}
              change={(next) => change({ ...value, checks: checks.with(index, next) })}
              remove={() => change({ ...value, checks: checks.toSpliced(index, 1) })}
            />
          ))}
          {!disabled && checks.length < MAX_CHECKS && (
            <div>
              <Button
                size="small"
                variant="ghost"
                onClick={() => change({ ...value, checks: [...checks, { type: "contains", value: "" }] })}
              >
                <Plus aria-hidden />
                Add check
              </Button>
            </div>
          )}
          {disabled && checks.length === 0 && <p className="text-sm text-muted">No checks</p>}
        </div>
      </td>
      {!disabled && (
        <td className="border-l px-1 py-1 whitespace-nowrap">
          <IconButton label={`Duplicate case ${number}`} icon={<Copy />} onClick={duplicate} />
          <IconButton label={`Delete case ${number}`} icon={<Trash2 />} onClick={remove} />
        </td>
      )}
    </tr>
  );
}

type VariableCellProps = {
  name: string;
  value: string;
  disabled: boolean;
  change: (text: string) => void;
  paste: (cells: string[][]) => void;
};

function VariableCell({ name, value, disabled, change, paste }: VariableCellProps) {
  const takeCells = (event: ClipboardEvent) => {
    const cells = readCells(event.clipboardData.getData("text/plain"));
    if (!cells) return;
    event.preventDefault();
    paste(cells);
  };
  return (
    <textarea
      aria-label={name}
      value={value}
      rows={1}
      maxLength={MAX_VALUE_LENGTH}
      disabled={disabled}
      onPaste={takeCells}
      onChange={(event) => change(event.target.value)}
      className="field-sizing-content block max-h-48 min-h-9 w-full resize-none bg-transparent px-3 py-2 outline-none"
    />
  );
}
