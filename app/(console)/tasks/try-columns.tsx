import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { ClockTime } from "@/components/ui/time/clock-time";
import { describeDuration } from "@/components/ui/values/describe-latency";
import type { TaskCallback } from "@/lib/contract/operations/tasks/task-callbacks";

type NumberedTry = TaskCallback["tries"][number] & { number: number };

export const tryColumns: readonly Column<NumberedTry>[] = [
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
    header: "Took",
    apiName: "took_ms",
    width: "w-24",
    numeric: true,
    phone: "end",
    cell: ({ took_ms }) => describeDuration(took_ms),
  },
];
