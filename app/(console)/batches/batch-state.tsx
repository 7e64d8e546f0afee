"use client";

import { FileQuestion } from "lucide-react";
import { ReadState, type ShownRead } from "@/app/queries/read-state";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import type { Batch } from "@/lib/contract/operations/batches";
import type { TaskViewer } from "../tasks/task-view";
import { BatchView } from "./batch-view";

type BatchStateProps = { id: string; read: ShownRead<Batch>; viewer: TaskViewer };

/** Shows a batch, or the loading or error state of its read. */
export function BatchState({ id, read, viewer }: BatchStateProps) {
  return (
    <ReadState
      read={read}
      to="see this batch"
      skeleton={<BatchSkeleton />}
      missing={
        <EmptyState icon={FileQuestion} title="There is no such batch">
          No batch has the id <code className="font-mono break-all">{id}</code>, or it is of a project whose
          batches you may not see.
        </EmptyState>
      }
    >
      {(batch) => <BatchView batch={batch} viewer={viewer} />}
    </ReadState>
  );
}

export function BatchSkeleton() {
  return (
    <div className="grid gap-3">
      <LoadingLabel />
      <Skeleton className="h-6 w-28" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
