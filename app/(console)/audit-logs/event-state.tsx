"use client";

import { FileQuestion } from "lucide-react";
import { ProblemState } from "@/app/queries/problem-state";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import type { ProblemError } from "@/lib/console/problem";

type EventStateProps = {
  id: string;
  read: { error: ProblemError | null; refetch: () => unknown };
};

/** In place of an event that is not there, or not yet. */
export function EventState({ id, read: { error, refetch } }: EventStateProps) {
  if (error?.problem.code === "not_found") {
    return (
      <EmptyState icon={FileQuestion} title="There is no such event">
        <code className="font-mono break-all">{id}</code> is not in the log, or is older than the log is kept.
      </EmptyState>
    );
  }
  if (error) return <ProblemState problem={error.problem} to="see this event" retry={() => void refetch()} />;
  return (
    <div className="grid gap-3">
      <LoadingLabel />
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}
