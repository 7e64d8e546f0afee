"use client";

import { Upload } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { readTextFile } from "@/components/ui/csv/read-text-file";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { Notice } from "@/components/ui/notice";
import { ScriptForm } from "@/components/ui/script-form";
import { formatBytes } from "@/lib/contract/format-bytes";
import { exportConfiguration, planConfiguration } from "./actions";
import type { ShownPlan } from "./shown-plan";

const MAX_BYTES = 4 * 1024 * 1024;

export type ConfigurationText = { name: string; text: string };

/** What files are taken, in words. */
export type FileWords = {
  label: string;
  help: string;
  placeholder: string;
  /** Of `<input type="file">`. */
  accept: string;
  /** Set where no other form than CSV is read. */
  isCsv?: boolean;
  /** Offers what is set now to begin with. */
  beginsWithNow?: boolean;
};

type FileSourceProps = {
  words: FileWords;
  file: ConfigurationText;
  setFile: (file: ConfigurationText) => void;
  onPlanned: (shown: ShownPlan) => void;
};

/** By its name or, where it was pasted, by its first line, which names columns. */
const isCsv = ({ name, text }: ConfigurationText) =>
  /\.(csv|tsv)$/i.test(name) || /^[^\n:{[#]*[,;\t][^\n:{[]*(\n|$)/.test(text);

/** Reads a file, or says why not. */
function useFileReader(setFile: FileSourceProps["setFile"]) {
  const [fault, setFault] = useState<string>();
  const read = async (chosen: File | undefined) => {
    if (!chosen) return;
    const isTooLarge = chosen.size > MAX_BYTES;
    setFault(
      isTooLarge ? `is ${formatBytes(chosen.size)}, and a plan takes 4 MiB: plan it part by part` : undefined,
    );
    if (!isTooLarge) setFile({ name: chosen.name, text: await readTextFile(chosen) });
  };
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  return { fault, read, drop };
}

/** A configuration file that is dropped, chosen or pasted. */
export function FileSource({ words, file, setFile, onPlanned }: FileSourceProps) {
  const id = useId();
  const { fault, read, drop } = useFileReader(setFile);
  const exporting = useAction(exportConfiguration, {
    onSuccess: ({ file: text }) => setFile({ name: "gatehouse.yaml", text }),
  });
  const request = words.isCsv || isCsv(file) ? { csv: file.text } : { file: file.text };
  const planning = useAction(planConfiguration, {
    onSuccess: (plan) => onPlanned({ plan, ...file, request }),
  });
  const problem = planning.error?.problem;
  const error = problem?.fields.file ?? problem?.fields.csv;
  const shown = fault ?? error ?? exporting.error?.problem.message;
  return (
    <ScriptForm
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        planning.mutate(request);
      }}
    >
      {problem && !error && (
        <Notice tone="bad" role="alert">
          {problem.message}
        </Notice>
      )}
      <Field id={id} label={words.label} error={shown} help={words.help}>
        <textarea
          {...fieldAttributes(id, shown)}
          className="field min-h-72 py-2 font-mono text-sm"
          rows={18}
          spellCheck={false}
          placeholder={words.placeholder}
          value={file.text}
          onChange={(event) => setFile({ ...file, text: event.target.value })}
          onDragOver={(event) => event.preventDefault()}
          onDrop={drop}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          pending={planning.isPending}
          disabled={file.text.trim() === ""}
        >
          Preview changes
        </Button>
        <FileButton words={words} read={read} />
        {words.beginsWithNow && (
          <Button pending={exporting.isPending} onClick={() => exporting.mutate({})}>
            Start from current settings
          </Button>
        )}
      </div>
    </ScriptForm>
  );
}

type FileButtonProps = { words: FileWords; read: (chosen: File | undefined) => Promise<void> };

function FileButton({ words, read }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={words.accept}
        aria-label={`${words.label} to choose`}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          void read(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        Choose a file
      </Button>
    </>
  );
}
