"use client";

import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { Part } from "@/components/ui/facts";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { ClockTime } from "@/components/ui/time/clock-time";
import { toServerClock } from "@/components/ui/time/server-clock";
import { ExactTime } from "@/components/ui/time/shown-time";
import { DeliveryStatus } from "@/components/ui/values/delivery-status";
import { describeDuration } from "@/components/ui/values/describe-latency";
import type { Task } from "@/lib/contract/operations/tasks/task";
import type { TaskCallback } from "@/lib/contract/operations/tasks/task-callbacks";
import { sendCallback } from "./actions";
import { SignatureCheck } from "./task-status";
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

/** Sends a task's callback again, with new attempts from the first on. */
function SendCallback({ callback: { task_id, status, tries } }: { callback: TaskCallback }) {
  const send = useAction(sendCallback, {
    refetch: ["retrieveTaskCallback"],
    onSuccess: () => void toast({ message: "The callback is being sent again" }),
    onError: ({ problem }) => void toast({ message: problem.message, tone: "bad" }),
  });
  return (
    <Button
      size="small"
      pending={send.isPending}
      // The first attempt is under way.
      disabled={status === "pending" && tries.length === 0}
      onClick={() => send.mutate({ taskId: task_id })}
    >
      Send again
    </Button>
  );
}

type NumberedTry = TaskCallback["tries"][number] & { number: number };

const tryColumns: readonly Column<NumberedTry>[] = [
  { id: "time", header: "Time", apiName: "at", width: "w-32", cell: ({ at }) => <ClockTime at={at} /> },
  {
    id: "reply",
    header: "Reply",
    apiName: "status",
    cell: ({ status, failure }) => (
      <span className="grid justify-items-start gap-0.5 py-1">
        <Status tone={failure === null ? "good" : "bad"}>{status ?? "No reply"}</Status>
        {failure !== null && <span className="text-sm wrap-anywhere">{failure}</span>}
      </span>
    ),
  },
  {
    id: "took",
    header: "Duration",
    apiName: "took_ms",
    width: "w-24",
    numeric: true,
    phone: "end",
    cell: ({ took_ms }) => describeDuration(took_ms),
  },
];
