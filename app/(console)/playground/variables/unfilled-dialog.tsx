"use client";

import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";

type UnfilledDialogProps = {
  /** The variables without a value. */
  names: readonly string[];
  send: () => void;
  close: () => void;
  /** Shows the fields of the variables, in the settings. */
  showFields: () => void;
};

const MAX_NAMED = 5;

/** Asks before a message goes out with variables in braces. */
export function UnfilledDialog({ names, send, close, showFields }: UnfilledDialogProps) {
  const written = names.slice(0, MAX_NAMED).map((name) => `{{${name}}}`);
  const others = names.length - written.length;
  return (
    <ConfirmDialog
      open
      danger={false}
      onClose={() => {
        close();
        showFields();
      }}
      onConfirm={send}
      title={names.length === 1 ? "A variable has no value" : `${names.length} variables have no value`}
      cancelLabel="Fill in"
      confirmLabel="Send as written"
    >
      <span className="font-mono text-sm wrap-anywhere">{written.join(", ")}</span>
      {others > 0 && ` and ${others} more`} would be sent as {names.length === 1 ? "it is" : "they are"}{" "}
      written, in braces.
    </ConfirmDialog>
  );
}
