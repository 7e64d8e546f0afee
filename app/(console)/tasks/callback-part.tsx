"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Part } from "@/components/ui/facts";
import { Skeleton } from "@/components/ui/states/skeleton";
import { DataTable } from "@/components/ui/table/data-table";
import { ExactTime } from "@/components/ui/time/relative-time";
import { toServerClock } from "@/components/ui/time/server-clock";
import { DeliveryStatus } from "@/components/ui/values/delivery-status";
import type { Task } from "@/lib/contract/operations/tasks/task";
import type { TaskCallback } from "@/lib/contract/operations/tasks/task-callbacks";
import { SendCallback } from "./send-callback";
import { SignatureCheck } from "./signature-check";
import { tryColumns } from "./try-columns";
import { POLL_MS } from "./use-task";

/** Don't poll for a retry that is further away. */
const SOON_MS = 10_000;

type CallbackPartProps = { task: Task; canSend: boolean };

/** A task's callback with all attempts to send it. */
export function CallbackPart({ task, canSend }: CallbackPartProps) {
  return (
    <Part title="Callback">
      {task.ended_at === null ? (
        <p className="text-muted">It is sent when the task ends, if the call had a callback_url.</p>
      ) : (
        <CallbackLog taskId={task.id} canSend={canSend} />
      )}
    </Part>
  );
}

function CallbackLog({ taskId, canSend }: { taskId: string; canSend: boolean }) {
  const parameters = { task_id: taskId };
  const log = useRead("retrieveTaskCallback", parameters);
  const dueAt = log.data?.next_try_at ?? null;
  const isSoon = dueAt !== null && dueAt * 1000 < toServerClock(log.dataUpdatedAt) + SOON_MS;
  useRead("retrieveTaskCallback", parameters, { enabled: isSoon, refetchInterval: POLL_MS });
  return (
    <ReadState
      read={log}
      to="see its callback"
      skeleton={<Skeleton className="h-10 w-full" />}
      missing={<p className="text-muted">The call had no callback_url.</p>}
    >
      {(callback) => <Log callback={callback} canSend={canSend} />}
    </ReadState>
  );
}

function Log({ callback, canSend }: { callback: TaskCallback; canSend: boolean }) {
  const { url, status, tries, next_try_at: dueAt } = callback;
  return (
    <div className="grid gap-2">
      <p className="text-sm">
        {url === null ? (
          <span className="text-muted">Its address was sealed under another GATEHOUSE_SECRET.</span>
        ) : (
          <code className="font-mono wrap-anywhere">{url}</code>
        )}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap items-center gap-x-2 text-sm">
          <DeliveryStatus status={status} tries={tries.length} />
          {status === "pending" && tries.length > 0 && dueAt !== null && (
            <span className="text-muted">
              next at <ExactTime at={dueAt} />
            </span>
          )}
        </span>
        {canSend && <SendCallback callback={callback} />}
      </div>
      {tries.length > 0 && (
        <DataTable
          caption="Tries, oldest first"
          columns={tryColumns}
          // Two attempts may start within the same second.
          rows={tries.map((tried, index) => ({ ...tried, number: index + 1 }))}
          rowId={({ number }) => String(number)}
        />
      )}
      <details className="text-sm">
        <summary className="cursor-pointer">Check its signature</summary>
        <div className="mt-2 grid gap-2">
          <p className="text-muted">The secret is under Tasks, Callback secret.</p>
          <SignatureCheck />
        </div>
      </details>
    </div>
  );
}
