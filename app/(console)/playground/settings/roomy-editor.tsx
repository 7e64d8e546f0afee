"use client";

import { useId } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { parseJson } from "@/lib/contract/json-value";

type RoomyEditorProps = {
  label: string;
  value: string;
  fault: string | undefined;
  change: (value: string) => void;
  close: () => void;
};

/** A setting of many lines, such as tools or a schema, with the room of the whole window. */
export function RoomyEditor({ label, value, fault, change, close }: RoomyEditorProps) {
  const id = useId();
  const parsed = parseJson(value);
  const tidy = parsed === undefined || value.trim() === "" ? null : JSON.stringify(parsed, null, 2);
  return (
    <Dialog
      open
      onClose={close}
      position="wide"
      title={label}
      footer={
        <>
          {tidy !== null && tidy !== value && <Button onClick={() => change(tidy)}>Indent</Button>}
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        </>
      }
    >
      <textarea
        id={id}
        aria-label={label}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        spellCheck={false}
        value={value}
        onChange={(event) => change(event.target.value)}
        className="field h-[55dvh] w-full resize-none py-2 font-mono text-sm"
      />
      {fault && (
        <p id={`${id}-fault`} role="status" className="mt-2 text-sm text-danger">
          {fault}
        </p>
      )}
    </Dialog>
  );
}
