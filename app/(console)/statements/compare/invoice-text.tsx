"use client";

import { Upload } from "lucide-react";
import { useId, useRef, useState } from "react";
import { Field, fieldAttributes } from "@/components/form/field";
import { readTextFile } from "@/components/form/read-text-file";
import { Button } from "@/components/ui/button";

const MAX_BYTES = 5 * 1024 * 1024;

/** A field for the invoice's CSV, pasted or from a file. */
export function InvoiceText({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const take = async (file: File) => {
    if (file.size > MAX_BYTES) return setError("is larger than 5 MiB. Export one month of it.");
    setError(undefined);
    onChange(await readTextFile(file));
  };
  return (
    <div className="grid max-w-3xl gap-3">
      <Field
        id={id}
        label="Invoice as CSV"
        error={error}
        help="Its first line names the columns, such as date, model and amount."
      >
        <textarea
          {...fieldAttributes(id, error)}
          className="field max-h-72 min-h-28 py-2 font-mono text-sm"
          rows={6}
          spellCheck={false}
          placeholder={"date,model,amount\n2026-10-31,gpt-5-mini,12.50"}
          value={text}
          onChange={(event) => {
            setError(undefined);
            onChange(event.target.value);
          }}
        />
      </Field>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        aria-label="Invoice file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void take(file);
          event.target.value = "";
        }}
      />
      <Button className="justify-self-start" onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        Choose a file
      </Button>
    </div>
  );
}
