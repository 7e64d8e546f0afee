"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { CancelButton } from "@/components/ui/dialog/cancel-button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Notice } from "@/components/ui/notice";
import { countNouns } from "@/components/ui/values/group-digits";
import type { ProblemError } from "@/lib/console/gateway/problem";

type ChangeManyDialogProps = {
  /** What is done, and to how many: "Delete", 3 and "key". */
  label: string;
  count: number;
  noun: string;
  description: string;
  verb: string;
  isDanger: boolean;
  /** How many it changes by the preview; 0 while there is none. */
  changes: number;
  /** Whether the preview says that it is refused. */
  isRefused: boolean;
  preview: { isFetching: boolean; error: Error | null };
  run: { isPending: boolean; error: ProblemError | null };
  /** The title of a refusal: "No key was changed". */
  unchanged: string;
  onRun: () => void;
  close: () => void;
  /** Above what has failed. */
  fields?: ReactNode;
  /** What it would do. */
  children: ReactNode;
};

/** One change for several objects, with what it does to each before it is made. All or none. */
export function ChangeManyDialog(props: ChangeManyDialogProps) {
  const { label, count, noun, description, verb, isDanger, changes, preview, run, ...shown } = props;
  return (
    <Dialog
      open
      position="wide"
      onClose={shown.close}
      title={`${label}: ${countNouns(count, noun)}`}
      description={description}
      isBusy={run.isPending}
      footer={
        <>
          <CancelButton />
          <Button
            variant={isDanger ? "danger" : "primary"}
            pending={run.isPending}
            disabled={preview.isFetching || shown.isRefused || changes === 0}
            onClick={shown.onRun}
          >
            {verb} {countNouns(changes, noun)}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {shown.fields}
        {run.error && (
          <Notice tone="bad" title={shown.unchanged}>
            {run.error.problem.message}
          </Notice>
        )}
        {preview.error && (
          <Notice tone="near" title="Could not be worked out">
            {preview.error.message}
          </Notice>
        )}
        {shown.children}
      </div>
    </Dialog>
  );
}
