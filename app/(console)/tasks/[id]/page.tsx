import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { ObjectPage, rightsAndProjects } from "../../object-page";
import { TaskPage } from "../task-page";

export const metadata = { title: "Task" };

export default function OneTaskPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <ObjectPage
      params={params}
      unsupported={
        <>
          <PageHead title="Task" />
          <UnsupportedState operation="see a task" endpoint="GET /tasks/{task_id}" />
        </>
      }
    >
      {({ id, session }) => ({
        reads: [["retrieveTask", { task_id: id }]],
        screen: (
          <Page>
            <TaskPage key={id} id={id} viewer={rightsAndProjects(session)} />
          </Page>
        ),
      })}
    </ObjectPage>
  );
}
