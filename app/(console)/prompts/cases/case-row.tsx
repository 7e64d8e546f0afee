"use client";

import { Copy, Plus, Trash2 } from "lucide-react";
import { useId } from "react";
import type { FieldErrors } from "react-hook-form";
import { findVariableValue } from "@/components/playground/variables/variables";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { MAX_CHECKS, MAX_VALUE_LENGTH } from "@/lib/contract/operations/playground/prompts";
import type { TypedCase } from "./case-values";
import { CheckRow } from "./check-row";

type CaseRowProps = {
  number: number;
  value: TypedCase;
  /** The variables of the latest version. */
  names: readonly string[];
  disabled: boolean;
  faults: FieldErrors<TypedCase> | undefined;
  change: (next: TypedCase) => void;
  remove: () => void;
  duplicate: () => void;
};

/** One case with its values and checks. Also shows values of variables that the prompt no longer has. */
export function CaseRow(props: CaseRowProps) {
  const { number, value, names, disabled, faults, change, remove, duplicate } = props;
  const { variables, checks } = value;
  const former = Object.keys(variables).filter((name) => !names.includes(name));
  return (
    <li
      aria-label={`Case ${number}`}
      className="grid gap-3 rounded-md border bg-surface p-3 lg:grid-cols-[1.5rem_minmax(0,1fr)_minmax(0,1fr)_auto]"
    >
      <span className="text-sm text-muted tabular-nums lg:pt-2">{number}</span>
      <div className="grid content-start gap-2">
        {[...names, ...former].map((name) => (
          <VariableField
            key={name}
            name={name}
            isFormer={!names.includes(name)}
            value={findVariableValue(variables, name) ?? ""}
            disabled={disabled}
            change={(text) => change({ ...value, variables: { ...variables, [name]: text } })}
          />
        ))}
        {names.length + former.length === 0 && <p className="pt-1.5 text-sm text-muted">No variables</p>}
      </div>
      <div className="grid content-start gap-2">
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
        {disabled && checks.length === 0 && <p className="pt-1.5 text-sm text-muted">No checks</p>}
      </div>
      {!disabled && (
        <div className="flex items-start justify-end">
          <IconButton label={`Duplicate case ${number}`} icon={<Copy />} onClick={duplicate} />
          <IconButton label={`Remove case ${number}`} icon={<Trash2 />} onClick={remove} />
        </div>
      )}
    </li>
  );
}

type VariableFieldProps = {
  name: string;
  isFormer: boolean;
  value: string;
  disabled: boolean;
  change: (text: string) => void;
};

function VariableField({ name, isFormer, value, disabled, change }: VariableFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm text-muted">
        <code className="font-mono">{name}</code>
        {isFormer && " (not in the newest version)"}
      </label>
      <textarea
        id={id}
        value={value}
        rows={value.length > 80 || value.includes("\n") ? 3 : 1}
        maxLength={MAX_VALUE_LENGTH}
        disabled={disabled}
        onChange={(event) => change(event.target.value)}
        className="field min-h-9 py-1.5"
      />
    </div>
  );
}
