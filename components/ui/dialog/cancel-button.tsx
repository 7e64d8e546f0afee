"use client";

import { Button } from "../button";
import { useDialogScope } from "./dialog-scope";

/** Closes the dialog that contains it, as Escape does. */
export function CancelButton() {
  const dialog = useDialogScope();
  return (
    <Button onClick={dialog?.close} disabled={dialog?.isBusy ?? false}>
      Cancel
    </Button>
  );
}
