"use client";

import { Upload } from "lucide-react";
import { type DragEvent, type ReactNode, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";
import { formatBytes } from "@/lib/contract/format-bytes";
import { readTextFile } from "./read-text-file";

type CsvFieldProps = {
  label: string;
  help: string;
  placeholder: string;
  text: string;
  onChange: (text: string) => void;
  error?: string | undefined;
  maxBytes: number;
  /** What to do about a larger file, without a full stop: "Export one month of it". */
  tooLarge: string;
  /** Shown beside the button that chooses a file. */
  actions?: ReactNode;
};

/** A field for a CSV that is pasted, dropped or chosen as a file. */
export function CsvField(props: CsvFieldProps) {
  const { label, help, placeholder, text, onChange, maxBytes, tooLarge, actions } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string>();
  const error = fault ?? props.error;
  const enter = (next: string) => {
    setFault(undefined);
    onChange(next);
  };
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    const read = await readCsvFile(file, { maxBytes, tooLarge });
    if ("fault" in read) setFault(read.fault);
    else enter(read.text);
  };
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void readFile(event.dataTransfer.files[0]);
  };
  useEarlyEntry(id, enter);
  return (
    <div className="grid max-w-3xl gap-3">
      <Field id={id} label={label} error={error} help={help}>
        <textarea
          {...fieldAttributes(id, error)}
          className="field max-h-72 min-h-28 py-2 font-mono text-sm"
          rows={6}
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          onChange={(event) => enter(event.target.value)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={drop}
        />
      </Field>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        aria-label={`${label} file`}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          void readFile(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => input.current?.click()}>
          <Upload aria-hidden />
          Choose a file
        </Button>
        {actions}
      </div>
    </div>
  );
}

/** A meaning that a column of the file can have. */
export type CsvColumn<Name extends string> = {
  name: Name;
  label: string;
  /** The choice if no column has this meaning. */
  none: string;
};

type CsvColumnsProps<Name extends string> = {
  columns: readonly CsvColumn<Name>[];
  /** The titles of the file's columns. */
  head: readonly string[];
  /** The index of each column in the file, from 0; null if it isn't chosen. */
  map: Readonly<Record<Name, number | null>>;
  onChange: (name: Name, index: number | null) => void;
};

/** Assigns a meaning to each column of a CSV. */
export function CsvColumns<Name extends string>({ columns, head, map, onChange }: CsvColumnsProps<Name>) {
  const id = useId();
  return (
    <div className="flex flex-wrap gap-4">
      {columns.map(({ name, label, none }) => (
        <div key={name} className="grid gap-1">
          <label htmlFor={`${id}-${name}`} className="text-sm font-medium">
            {label}
          </label>
          <ChoiceSelect
            label={label}
            id={`${id}-${name}`}
            value={map[name] === null ? "" : String(map[name])}
            nothing={none}
            // A column's position is its only identity.
            options={head.map((title, index) => ({
              value: String(index),
              label: title || `Column ${index + 1}`,
            }))}
            choose={(value) => onChange(name, value === "" ? null : Number(value))}
            className="h-8 w-auto max-w-56"
          />
        </div>
      ))}
    </div>
  );
}

type CsvBounds = {
  maxBytes: number;
  /** What to do about a larger file, without a full stop. */
  tooLarge: string;
};

/** Reads a dropped or chosen file. `fault` says after the field's name why that isn't possible, and what to do. */
export async function readCsvFile(
  file: File,
  { maxBytes, tooLarge }: CsvBounds,
): Promise<{ readonly text: string } | { readonly fault: string }> {
  if (file.size > maxBytes) return { fault: `is larger than ${formatBytes(maxBytes)}. ${tooLarge}` };
  try {
    return { text: await readTextFile(file) };
  } catch {
    return { fault: "could not be read: it may be a folder, or no longer be there. Choose it again." };
  }
}
