"use client";

import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../button";
import { ConfirmDialog } from "../dialog/confirm-dialog";
import { Dialog } from "../dialog/dialog";
import type { ModalPosition } from "../dialog/modal";
import { CopyButton } from "./copy-button";

type ShownOnceProps = {
  title: string;
  description: ReactNode;
  /** The noun in the label, the copy button and the question: "key". */
  noun: string;
  text: string;
  /** What to do if it is lost: "It can't be shown again. …" */
  loss: ReactNode;
  /** Shown below the secret: how it can be used. */
  children?: ReactNode;
  position?: ModalPosition;
  close: () => void;
};

/** A secret that can't be shown again, with a copy button. Confirms before it is closed without having been copied. */
export function ShownOnce({
  title,
  description,
  noun,
  text,
  loss,
  children,
  position,
  close,
}: ShownOnceProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);

  useEffect(() => {
    if (isCopied) return;
    const holdPage = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", holdPage);
    return () => window.removeEventListener("beforeunload", holdPage);
  }, [isCopied]);

  return (
    <Dialog
      open
      {...(position && { position })}
      onClose={() => (isCopied ? close() : setIsAsking(true))}
      title={title}
      description={description}
      footer={
        <Button variant={isCopied ? "primary" : "secondary"} onClick={close}>
          I have copied it
        </Button>
      }
    >
      <div className="grid gap-6">
        <div className="grid gap-2">
          <h3 className="font-medium first-letter:uppercase">{noun}</h3>
          <div className="flex flex-wrap items-center gap-3 rounded-md border bg-background px-3 py-2.5">
            <code
              className="min-w-0 flex-1 basis-64 font-mono text-sm break-all"
              onCopy={() => setIsCopied(true)}
            >
              {text}
            </code>
            <CopyButton text={text} what={noun} hasLabel onCopied={() => setIsCopied(true)} />
          </div>
        </div>
        {children}
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={close}
        title={`Close without having copied the ${noun}?`}
        confirmLabel="Close"
      >
        {loss}
      </ConfirmDialog>
    </Dialog>
  );
}
