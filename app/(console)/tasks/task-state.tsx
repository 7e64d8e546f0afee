"use client";

import { DetailState } from "@/components/object-page/detail-state";
import type { Viewer } from "@/components/object-page/object-page";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import type { ShownRead } from "@/components/queries/states/read-state";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { cancelOwnTask } from "@/components/tasks/actions";
import { describeFamily, describeRunTime, describeTask } from "@/components/tasks/describe-task";
import { TaskOutput } from "@/components/tasks/task-output";
import { Button } from "@/components/ui/button";
import { ListDrawer } from "@/components/ui/drawer/list-drawer";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { describeUnits } from "@/components/ui/values/describe-units";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import { holdsInProject } from "@/lib/console/permissions-in";
import { contentPermissions, type Permission } from "@/lib/contract/access/permissions";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { cancelTask } from "./actions";
import { CallbackPart } from "./callback-part";
import { TaskStatus } from "./task-status";
import { useTask } from "./use-task";

type TaskStateProps = { id: string; read: ShownRead<Task>; viewer: Viewer };

/** Shows a task, or the loading or error state of its read. */
export function TaskState({ id, read, viewer }: TaskStateProps) {
  return (
    <DetailState id={id} read={read} noun="task" list={{ href: paths.tasks(), label: "View all tasks" }}>
      {(task) => <TaskView task={task} viewer={viewer} />}
    </DetailState>
  );
}

/** Everything known about a task: its outcome, output, cost and callback. */
function TaskView({ task, viewer }: { task: Task; viewer: Viewer }) {
  const may = (permission: Permission) => holdsInProject(viewer.held, task.project_id, permission);
  const canWrite = may("api.tasks.write");
  // Who may not read the project's tasks sees their own, which they may play and cancel.
  const isOwn = !may("api.tasks.read");
  const isReadable = isOwn || contentPermissions.some(may);
  return (
    <div className="@container">
      <div className="mb-6 grid gap-3 empty:hidden">
        {task.provider_state === "unknown" && task.ended_at === null && (
          <Notice tone="near" title="It is unknown whether the provider is working on it">
            The request was sent, but its reply was lost. It isn’t sent again. 24 hours after its creation the
            task fails, and its hold is charged.
          </Notice>
        )}
        {(canWrite || isOwn) && task.ended_at === null && !task.cancel_requested && (
          <CancelTask {...{ task, isOwn }} />
        )}
      </div>
      <div className="grid items-start gap-x-12 gap-y-6 @3xl:grid-cols-2">
        <Part title="Result">
          <TaskOutput task={task} isReadable={isReadable} />
        </Part>
        <div className="grid gap-6">
          <Part title="Cost">
            <Cost task={task} />
          </Part>
          <Part title="Task">
            <TaskFacts task={task} projects={viewer.projects} />
          </Part>
          {!isOwn && <CallbackPart task={task} canSend={canWrite} />}
        </div>
      </div>
    </div>
  );
}

function Cost({ task: { usage, ended_at, request_id } }: { task: Task }) {
  const receipt = <TextLink href={paths.request(request_id)}>View receipt</TextLink>;
  if (usage) {
    return (
      <p className="flex flex-wrap justify-between gap-x-4">
        <span>
          <Money amount={usage.amount} currency={usage.currency} />{" "}
          <span className="text-muted">for {describeUnits(String(usage.quantity), usage.unit)}</span>
        </span>
        {receipt}
      </p>
    );
  }
  return (
    <p className="flex flex-wrap justify-between gap-x-4">
      <span className="text-muted">
        {ended_at === null ? "It is charged when it ends." : "Nothing was charged."}
      </span>
      {receipt}
    </p>
  );
}

function TaskFacts({ task, projects }: { task: Task; projects: Viewer["projects"] }) {
  const project = projects.find(({ id }) => id === task.project_id);
  const taken = describeRunTime(task);
  return (
    <Facts>
      <Fact name="Task">
        <IdChip id={task.id} what="task id" />
      </Fact>
      <Fact name="Request">
        <IdChip id={task.request_id} what="request id" />
      </Fact>
      <Fact name="Model">
        <code className="font-mono text-sm wrap-anywhere">{task.model}</code>
      </Fact>
      <Fact name="Family">{task.family}</Fact>
      <Fact name="Project">{project?.name ?? <IdChip id={task.project_id} what="project id" />}</Fact>
      <Fact name="Created">
        <RelativeTime at={task.created} withExact />
      </Fact>
      {task.started_at !== null && (
        <Fact name="Started">
          <RelativeTime at={task.started_at} withExact />
        </Fact>
      )}
      {task.ended_at !== null && (
        <Fact name="Ended">
          <RelativeTime at={task.ended_at} withExact />
        </Fact>
      )}
      {taken !== null && <Fact name="Duration">{taken}</Fact>}
      {task.error && (
        <Fact name="Error">
          <code className="font-mono text-sm wrap-anywhere">{task.error.code}</code>
        </Fact>
      )}
    </Facts>
  );
}

/** Cancels a task after a confirmation. */
function CancelTask({ task, isOwn }: { task: Task; isOwn: boolean }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button className="w-fit" onClick={ask}>
          Cancel task
        </Button>
      )}
      title="Cancel this task?"
      confirmLabel="Cancel task"
      cancelLabel="Keep task"
      action={isOwn ? cancelOwnTask : cancelTask}
      input={{ taskId: task.id }}
      refetch={["listTasks", "retrieveTask", "listOwnTasks", "retrieveOwnTask"]}
      done={({ status }) => (status === "canceled" ? "Task canceled" : "The task is being canceled")}
    >
      What <code className="font-mono text-sm wrap-anywhere">{task.model}</code> is making is lost. It costs
      nothing unless its provider has finished it before.
    </ConfirmedAction>
  );
}

type TaskDrawerProps = {
  id: string;
  /** The ids of the list's tasks, in their order. */
  ids: readonly string[];
  /** Shows another task. "" closes the drawer. */
  show: (id: string) => void;
  viewer: Viewer;
};

/** Shows a task next to its list. */
export function TaskDrawer({ id, ids, show, viewer }: TaskDrawerProps) {
  const task = useTask(id, viewer.held);
  return (
    <ListDrawer
      id={id}
      ids={ids}
      show={show}
      noun="task"
      href={paths.task(id)}
      title={task.data ? describeFamily(task.data) : "Task"}
    >
      {task.data && (
        <div className="mb-6 grid gap-3">
          <TaskStatus task={task.data} />
          <p className="wrap-anywhere text-muted">{describeTask(task.data)}</p>
        </div>
      )}
      <TaskState key={id} id={id} read={task} viewer={viewer} />
    </ListDrawer>
  );
}

/** The page of a task. */
export function TaskPage({ id, viewer }: { id: string; viewer: Viewer }) {
  const task = useTask(id, viewer.held);
  return (
    <>
      <PageCrumb label={id} />
      <PageHead
        title={task.data ? describeFamily(task.data) : "Task"}
        sentence={task.data && <span className="wrap-anywhere">{describeTask(task.data)}</span>}
        beside={task.data && <TaskStatus task={task.data} />}
      />
      <TaskState id={id} read={task} viewer={viewer} />
    </>
  );
}
