"use client";

import { ConfirmDialog } from "@/components/ui/confirm-dialog";

/** Asks before a new conversation replaces one that couldn't be saved. */
export function DiscardDialog({ discard, close }: { discard: () => void; close: () => void }) {
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={discard}
      title="Begin a new conversation without saving this one?"
      confirmLabel="Discard and begin anew"
    >
      What is on this page could not be saved. A new conversation takes its place, and it is gone.
    </ConfirmDialog>
  );
}
