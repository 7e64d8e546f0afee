import { TaskPage } from "@/app/(console)/tasks/task-state";
import { DetailPage, toViewer } from "@/components/object-page/object-page";
import { holdsAnywhere } from "@/lib/console/permissions-in";

export const metadata = { title: "Task" };

export default function OneTaskPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <DetailPage
      params={params}
      title="Task"
      to="see a task"
      endpoint="GET /tasks/{task_id}"
      reads={({ id, session }) => {
        const isOwnOnly = !holdsAnywhere(session.me, "api.tasks.read");
        return [[isOwnOnly ? "retrieveOwnTask" : "retrieveTask", { task_id: id }]];
      }}
    >
      {async ({ id, session }) => <TaskPage key={id} id={id} viewer={await toViewer(session)} />}
    </DetailPage>
  );
}
