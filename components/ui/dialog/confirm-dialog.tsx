"use client";

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../button";
import { Notice } from "../notice";
import { ScriptForm } from "../script-form";
import { Dialog } from "./dialog";

type ConfirmDialogProps = {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** Names the object: "Delete the key “ci”?" */
  title: string;
  /** The consequence: "Programs that use it are refused within a second. This can't be undone." */
  children: ReactNode;
  /** A verb and its object: "Delete key". */
  confirmLabel: string;
  /** "Cancel" by default. Set it if that could be confused with the other button. */
  cancelLabel?: string;
  /** Text that must be typed to confirm a severe action, usually the object's name. */
  typeToConfirm?: string;
  pending?: boolean;
  /** Why the last attempt failed. */
  error?: ReactNode;
  /** Red by default. False if nothing is lost. */
  danger?: boolean;
};

export function ConfirmDialog({ open, onClose, title, ...content }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title} isBusy={content.pending ?? false}>
      <ConfirmForm {...content} onClose={onClose} />
    </Dialog>
  );
}

type ConfirmFormProps = Omit<ConfirmDialogProps, "open" | "title">;

function ConfirmForm(props: ConfirmFormProps) {
  const {
    onClose,
    onConfirm,
    children,
    confirmLabel,
    cancelLabel = "Cancel",
    typeToConfirm,
    pending = false,
    error,
    danger = true,
  } = props;
  const field = useId();
  const [typedText, setTyped] = useState("");
  const isConfirmed = typeToConfirm === undefined || typedText.trim() === typeToConfirm;

  function confirm(event: FormEvent) {
    event.preventDefault();
    if (isConfirmed && !pending) onConfirm();
  }

  return (
    <ScriptForm onSubmit={confirm} className="grid gap-4">
      <div className="text-muted">{children}</div>
      {typeToConfirm !== undefined && (
        <div className="grid gap-1.5">
          <label htmlFor={field} className="font-medium">
            Type <span className="font-mono text-sm break-all">{typeToConfirm}</span> to confirm
          </label>
          <input
            id={field}
            className="field h-9"
            value={typedText}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
      )}
      {error && (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose} disabled={pending}>
          {cancelLabel}
        </Button>
        <Button
          type="submit"
          variant={danger ? "danger" : "primary"}
          pending={pending}
          disabled={!isConfirmed}
        >
          {confirmLabel}
        </Button>
      </div>
    </ScriptForm>
  );
}
