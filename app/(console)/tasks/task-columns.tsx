import { describeRunTime } from "@/components/tasks/describe-task";
import type { Column } from "@/components/ui/table/column";
import { ClockTime } from "@/components/ui/time/clock-time";
import { Money } from "@/components/ui/values/money";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { TaskStatus } from "./task-status";

export function taskColumns(currency: string | undefined): readonly Column<Task>[] {
  return [
    {
      id: "time",
      header: "Time",
      apiName: "created",
      width: "w-36",
      cell: ({ created }) => <ClockTime at={created} />,
    },
    {
      id: "model",
      header: "Model",
      apiName: "model",
      cell: ({ model }) => <code className="font-mono text-sm wrap-anywhere">{model}</code>,
    },
    {
      id: "family",
      header: "Family",
      apiName: "family",
      width: "w-28",
      cell: ({ family }) => family,
    },
    {
      id: "status",
      header: "Status",
      apiName: "status",
      width: "w-44",
      phone: "end",
      cell: (task) => <TaskStatus task={task} />,
    },
    {
      id: "charge",
      header: "Charge",
      apiName: "usage.amount",
      unit: currency,
      width: "w-36",
      numeric: true,
      amount: ({ usage }) => usage?.amount,
      cell: ({ usage }) => (usage ? <Money amount={usage.amount} /> : <span className="text-muted">–</span>),
    },
    {
      id: "took",
      header: "Took",
      apiName: "ended_at",
      width: "w-28",
      numeric: true,
      cell: (task) => describeRunTime(task) ?? <span className="text-muted">–</span>,
    },
  ];
}
