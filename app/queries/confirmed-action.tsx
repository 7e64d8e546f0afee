"use client";

import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import type { ActionReply } from "@/lib/console/problem";
import type { ReadId } from "@/lib/console/reads";
import { useAction } from "./use-action";

type ConfirmedActionProps<Input, Data> = {
  /** The button that opens the question. */
  renderButton: (ask: () => void) => ReactNode;
  /** Names the object: "Delete the key “ci”?" */
  title: string;
  /** Verb and object: "Delete key". */
  confirmLabel: string;
  /** "Cancel", unless that could be taken for the other button. */
  cancelLabel?: string;
  /** The consequence. */
  children: ReactNode;
  action: (input: Input) => Promise<ActionReply<Data>>;
  input: Input;
  /** Reads that are no longer true after it. */
  changes?: readonly ReadId[];
  /** What must be typed first, for what hurts most: usually the object's name. */
  typeToConfirm?: string;
  /** Says that it was done: "Key “ci” deleted". */
  done: (data: Data) => string;
  /** Follows when it was done. */
  onDone?: () => void;
  /** Red, unless nothing is lost. */
  danger?: boolean;
  /** Leaves the page of what is no longer there. The question stays open until then. */
  leave?: () => void;
};

/** A button that removes something, and the question before it. The question shows why it was refused. */
export function ConfirmedAction<Input, Data>(props: ConfirmedActionProps<Input, Data>) {
  const {
    renderButton,
    title,
    confirmLabel,
    cancelLabel,
    children,
    action,
    input,
    changes = [],
    typeToConfirm,
    done,
    onDone,
    leave,
    danger = true,
  } = props;
  const [isOpen, setIsOpen] = useState(false);
  const run = useAction(action, {
    changes,
    onSuccess: (data) => {
      toast({ message: done(data) });
      onDone?.();
      leave?.();
    },
  });
  function close() {
    setIsOpen(false);
    run.reset();
  }
  return (
    <>
      {renderButton(() => setIsOpen(true))}
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        // Closed once the reads are done anew: what is behind it no longer shows what is gone.
        onConfirm={() => run.mutate(input, leave ? {} : { onSuccess: close })}
        title={title}
        confirmLabel={confirmLabel}
        danger={danger}
        {...(cancelLabel !== undefined && { cancelLabel })}
        {...(typeToConfirm !== undefined && { typeToConfirm })}
        pending={run.isPending || run.isSuccess}
        error={run.error?.problem.message}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
