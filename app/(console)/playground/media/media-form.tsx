"use client";

import { ChevronRight } from "lucide-react";
import { useId } from "react";
import {
  findMediaFaults,
  listMediaFields,
  type MediaField,
} from "@/components/playground/media/media-fields";
import type { Pane } from "@/components/playground/panes/pane";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

type MediaFormProps = { pane: Pane; model: OrganizationModel; store: WorkbenchStore };

/** What a pane's model is asked besides the message: size, voice and the like. It folds, and says what is set. */
export function MediaForm({ pane, model, store }: MediaFormProps) {
  const { options = {} } = pane;
  const fields = listMediaFields(model);
  const faults = findMediaFaults(model, options);
  const change = (name: string, value: string) =>
    store.changePane(pane.id, (one) => ({ ...one, options: { ...one.options, [name]: value } }));
  const isFaulty = Object.keys(faults).length > 0;
  return (
    <details
      open={pane.messages.length === 0 || isFaulty || undefined}
      className="group max-h-[60%] shrink-0 overflow-y-auto border-b px-3.5 py-2 text-sm"
    >
      <summary className="flex min-h-6 cursor-default items-center gap-x-1.5 truncate rounded-sm font-medium pointer-coarse:min-h-11">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted group-open:rotate-90" />
        Options
        <span className="truncate font-normal text-muted group-open:hidden">
          {describeOptions(fields, options)}
        </span>
      </summary>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(6.25rem,1fr))] gap-x-3 gap-y-2 pt-1.5 pb-1">
        {fields.map((field) => (
          <OptionField
            key={field.name}
            field={field}
            value={options[field.name] ?? ""}
            fault={faults[field.name]}
            change={(value) => change(field.name, value)}
          />
        ))}
      </div>
    </details>
  );
}

function describeOptions(fields: readonly MediaField[], options: Readonly<Record<string, string>>): string {
  const set = fields.filter(({ name }) => (options[name] ?? "") !== "");
  if (set.length === 0) return "Model defaults";
  return set.map(({ name, label }) => `${label}: ${options[name]}`).join(" · ");
}

type OptionFieldProps = {
  field: MediaField;
  value: string;
  fault: string | undefined;
  change: (value: string) => void;
};

function OptionField({ field, value, fault, change }: OptionFieldProps) {
  const id = useId();
  useEarlyEntry(id, change);
  const { name, label, kind, values = [], placeholder } = field;
  const shared = {
    id,
    value,
    "aria-invalid": fault ? (true as const) : undefined,
    "aria-describedby": fault ? `${id}-fault` : undefined,
  };
  return (
    <div className={kind === "json" ? "col-span-full grid gap-1" : "grid content-start gap-1"}>
      <label htmlFor={id} title={name} className="text-xs text-muted">
        {label}
      </label>
      {kind === "choice" ? (
        <select
          {...shared}
          onChange={(event) => change(event.target.value)}
          className="field h-8 w-full text-sm pointer-coarse:h-11"
        >
          <option value="">{placeholder}</option>
          {values.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          placeholder={placeholder}
          list={values.length > 0 ? `${id}-values` : undefined}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change(event.target.value)}
          className={`field h-8 w-full text-sm pointer-coarse:h-11 ${kind === "json" ? "font-mono" : ""}`}
        />
      )}
      {kind === "text" && values.length > 0 && (
        <datalist id={`${id}-values`}>
          {values.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </datalist>
      )}
      {fault && (
        <p id={`${id}-fault`} className="text-danger">
          {fault}
        </p>
      )}
    </div>
  );
}
