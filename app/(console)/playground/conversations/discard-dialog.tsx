"use client";

import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";

/** Asks before a new conversation replaces one that couldn't be saved. */
export function DiscardDialog({ discard, close }: { discard: () => void; close: () => void }) {
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={discard}
      title="Start a new conversation without saving this one?"
      confirmLabel="Discard and start new"
    >
      This conversation could not be saved. It is lost if you start a new one.
    </ConfirmDialog>
  );
}
