"use client";

import { FileUp } from "lucide-react";
import { useId, useState } from "react";
import { classNames } from "@/components/ui/class-names";
import { formatCount } from "@/components/ui/values/group-digits";
import { formatBytes } from "@/lib/contract/format-bytes";
import { MAX_BATCH_LINES } from "@/lib/contract/operations/tasks/batches";
import { MAX_FILE_BYTES } from "@/lib/contract/operations/tasks/files";

/** A drop zone for a JSONL file, with a button to choose one. */
export function DropFile({ onFile }: { onFile: (file: File) => void }) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const takeFirst = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file) onFile(file);
  };
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        takeFirst(event.dataTransfer.files);
      }}
      className={classNames(
        "grid cursor-pointer justify-items-center gap-2 rounded-md border border-dashed border-field-border px-4 py-8 text-center",
        "focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-default",
        isOver && "bg-default",
      )}
    >
      <FileUp aria-hidden className="size-6 text-muted" />
      <span className="font-medium">Drop a JSONL file here, or choose one</span>
      <span id={`${id}-help`} className="text-sm text-muted">
        One call a line, at most {formatCount(MAX_BATCH_LINES)} lines and {formatBytes(MAX_FILE_BYTES)}, all
        for one model.
      </span>
      <input
        id={id}
        type="file"
        accept=".jsonl,.ndjson,application/jsonl,application/x-ndjson"
        aria-describedby={`${id}-help`}
        className="sr-only"
        onChange={(event) => {
          takeFirst(event.currentTarget.files);
          // Lets the person choose the same file again after correcting it.
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}
