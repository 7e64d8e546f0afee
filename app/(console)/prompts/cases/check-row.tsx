"use client";

import { X } from "lucide-react";
import { useId } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { checkTypes, type TypedCheck } from "./case-values";

type CheckRowProps = {
  /** The accessible name of the check. */
  label: string;
  value: TypedCheck;
  disabled: boolean;
  fault: string | undefined;
  change: (next: TypedCheck) => void;
  remove: () => void;
};

/** Edits one check: its type and its expected value. */
export function CheckRow({ label, value, disabled, fault, change, remove }: CheckRowProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <div className="flex items-start gap-2">
        <select
          aria-label={`Kind of ${label.toLowerCase()}`}
          value={value.type}
          disabled={disabled}
          onChange={(event) => change({ ...value, type: event.target.value as TypedCheck["type"] })}
          className="field h-9 w-44 shrink-0 max-sm:w-36 pointer-coarse:h-11"
        >
          {Object.entries(checkTypes).map(([type, words]) => (
            <option key={type} value={type}>
              {words.label}
            </option>
          ))}
        </select>
        <textarea
          aria-label={label}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={fault === undefined ? undefined : id}
          value={value.value}
          rows={1}
          disabled={disabled}
          placeholder={checkTypes[value.type].hint}
          onChange={(event) => change({ ...value, value: event.target.value })}
          className="field min-h-9 min-w-0 flex-1 py-1.5"
        />
        {!disabled && <IconButton label={`Remove ${label.toLowerCase()}`} icon={<X />} onClick={remove} />}
      </div>
      {fault !== undefined && (
        <p id={id} className="text-sm text-danger">
          {checkTypes[value.type].fault}
        </p>
      )}
    </div>
  );
}
