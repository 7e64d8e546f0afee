"use client";

import { Button } from "@/components/ui/button";
import { useDialogScope } from "./dialog";

/** Closes the dialog that contains it, as Escape does. */
export function CancelButton() {
  const dialog = useDialogScope();
  return (
    <Button onClick={dialog?.close} disabled={dialog?.isBusy ?? false}>
      Cancel
    </Button>
  );
}
