"use client";

import { Clapperboard } from "lucide-react";
import type { Viewer } from "@/components/object-page/object-page";
import { projectColumn } from "@/components/object-page/project-column";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { describeRunTime } from "@/components/tasks/describe-task";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useOpenRow } from "@/components/ui/drawer/use-open-row";
import { LinkButton } from "@/components/ui/links/link-button";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import { ClockTime } from "@/components/ui/time/clock-time";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { ReadParameters } from "@/lib/console/reads/reads";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { TaskStatus } from "./task-status";
import { POLL_MS } from "./use-task";

// Not rendered on the server, which can't show modal dialogs. The address may open it at once.
const TaskDrawer = loadOnClient(
  () => import("./task-state").then((file) => file.TaskDrawer),
  ({ show }) => show(""),
);

type TaskListProps = {
  parameters: ReadParameters;
  isFiltered: boolean;
  viewer: Viewer;
  /** True for the tasks that the person made. */
  isOwn: boolean;
};

/** Tasks, newest first. Polls while one of them is running. */
export function TaskList({ parameters, isFiltered, viewer, isOwn }: TaskListProps) {
  const [open, setOpen] = useOpenRow();
  const read = isOwn ? "listOwnTasks" : "listTasks";
  const tasks = useReadRows(read, parameters);
  const isUnderWay = tasks.data?.some(({ ended_at }) => ended_at === null) ?? false;
  useReadRows(read, parameters, { enabled: isUnderWay, refetchInterval: POLL_MS });
  return (
    <>
      <ReadState
        read={tasks}
        to="list the tasks"
        skeleton={<TableSkeleton rows={12} columns={6} />}
        empty={<NoTask {...{ isFiltered, isOwn }} />}
      >
        {(rows) => (
          <PagedTable
            read={tasks}
            noun="task"
            open={setOpen}
            caption="Tasks, newest first"
            columns={[
              ...(parameters.project_id ? [] : [projectColumn<Task>(viewer.projects)]),
              ...taskColumns(rows.find(({ usage }) => usage)?.usage?.currency),
            ]}
            rows={rows}
            openId={open}
            rowId={({ id }) => id}
            rowHref={({ id }) => paths.task(id)}
          />
        )}
      </ReadState>
      {open && tasks.data && (
        <TaskDrawer id={open} ids={tasks.data.map(({ id }) => id)} show={setOpen} viewer={viewer} />
      )}
    </>
  );
}

function NoTask({ isFiltered, isOwn }: { isFiltered: boolean; isOwn: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={Clapperboard} title="No task fits these filters">
        Remove a filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Clapperboard}
      title="No tasks yet"
      action={
        <LinkButton variant="primary" href={isOwn ? paths.playground() : paths.models()}>
          {isOwn ? "Open the playground" : "View models"}
        </LinkButton>
      }
    >
      A call to an image, video or music model creates a task. It is listed here while it runs, and then with
      the files that it made.
    </EmptyState>
  );
}

function taskColumns(currency: string | undefined): readonly Column<Task>[] {
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
      header: "Duration",
      apiName: "ended_at",
      width: "w-28",
      numeric: true,
      cell: (task) => describeRunTime(task) ?? <span className="text-muted">–</span>,
    },
  ];
}
