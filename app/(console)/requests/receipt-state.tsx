"use client";

import { FileQuestion } from "lucide-react";
import { ProblemState } from "@/app/queries/problem-state";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import type { ProblemError } from "@/lib/console/problem";

type ReceiptStateProps = {
  id: string;
  read: { error: ProblemError | null; refetch: () => unknown };
};

/** In place of a receipt that is not there, or not yet. */
export function ReceiptState({ id, read: { error, refetch } }: ReceiptStateProps) {
  if (error?.problem.code === "not_found") {
    return (
      <EmptyState icon={FileQuestion} title="There is no receipt of this call">
        None is kept of <code className="font-mono break-all">{id}</code>, or it is of a project whose calls
        you may not see. Of refusals the first ten a minute are kept for each key; the others are only
        counted.
      </EmptyState>
    );
  }
  if (error) {
    return <ProblemState problem={error.problem} to="see this call" retry={() => void refetch()} />;
  }
  return (
    <div className="grid gap-3">
      <LoadingLabel />
      <Skeleton className="h-6 w-28" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-64 w-full" />
      <Skeleton className="h-32 w-full" />
    </div>
  );
}
