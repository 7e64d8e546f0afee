"use client";

import { FileQuestion } from "lucide-react";
import { ReadState, type ShownRead } from "@/app/queries/read-state";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import type { AuditLog } from "@/lib/contract/operations/audit-logs";
import { EventView } from "./event-view";

/** Shows an event, or the loading or error state of its read. */
export function EventState({ id, read }: { id: string; read: ShownRead<AuditLog> }) {
  return (
    <ReadState read={read} to="see this event" skeleton={<EventSkeleton />} missing={<NoEvent id={id} />}>
      {(event) => <EventView event={event} />}
    </ReadState>
  );
}

function NoEvent({ id }: { id: string }) {
  return (
    <EmptyState icon={FileQuestion} title="There is no such event">
      <code className="font-mono break-all">{id}</code> is not in the log, or is older than its retention
      period.
    </EmptyState>
  );
}

function EventSkeleton() {
  return (
    <div className="grid gap-3">
      <LoadingLabel />
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}
