"use client";

import { Upload } from "lucide-react";
import { type DragEvent, type ReactNode, useId, useRef, useState } from "react";
import { Button } from "../button";
import { Field, fieldAttributes } from "../fields/field";
import { useEarlyEntry } from "../fields/use-early-entry";
import { readCsvFile } from "./read-csv-file";

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
