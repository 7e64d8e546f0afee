"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";
import { toast } from "@/components/ui/dialog/toast";
import { type ActionReply, isGone } from "@/lib/console/gateway/problem";
import type { Refetch } from "./use-action";
import { useAction } from "./use-action";

type ConfirmedActionProps<Input, Data> = {
  /** Renders the button that opens the question. */
  renderButton: (ask: () => void) => ReactNode;
  /** Names the object: "Delete the key “ci”?" */
  title: string;
  /** A verb and its object: "Delete key". */
  confirmLabel: string;
  /** "Cancel" by default. Set it if that could be confused with the other button. */
  cancelLabel?: string;
  /** Says what the action will cause. */
  children: ReactNode;
  action: (input: Input) => Promise<ActionReply<Data>>;
  input: Input;
  /** Reads to refetch afterwards. "all" if any can have changed. */
  refetch?: Refetch;
  /** Text that must be typed to confirm a severe action, usually the object's name. */
  typeToConfirm?: string;
  /** Returns the message of success: "Key “ci” deleted". */
  done: (data: Data) => string;
  /** Said if the object no longer exists. By default the gateway's words. */
  gone?: string;
  /** Called after success. */
  onDone?: (data: Data) => void;
  /** Red by default. False if nothing is lost. */
  danger?: boolean;
  /** Leaves the page of a removed object. The question stays open until then. */
  leave?: () => void;
};

/** A button with a confirmation before a destructive action. The dialog shows why it failed. */
export function ConfirmedAction<Input, Data>(props: ConfirmedActionProps<Input, Data>) {
  const {
    renderButton,
    title,
    confirmLabel,
    cancelLabel,
    children,
    action,
    input,
    refetch = [],
    typeToConfirm,
    done,
    gone,
    onDone,
    leave,
    danger = true,
  } = props;
  const [isOpen, setIsOpen] = useState(false);
  const refusal = useRef<string | null>(null);
  const run = useAction(action, {
    refetch,
    onSuccess: (data) => {
      refusal.current = null;
      toast({ message: done(data) });
      onDone?.(data);
      leave?.();
    },
    onError: ({ problem }) => {
      refusal.current = isGone(problem) ? (gone ?? problem.message) : problem.message;
    },
  });
  // The question disappears with the row of an object that another member changed or removed: then a toast says why it
  // failed.
  useEffect(() => () => void (refusal.current && toast({ message: refusal.current, tone: "bad" })), []);
  function close() {
    setIsOpen(false);
    refusal.current = null;
    run.reset();
  }
  return (
    <>
      {renderButton(() => setIsOpen(true))}
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        // Close only after the refetch, so that the page behind no longer shows the removed object.
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
