import { seesOwnTasksOnly } from "@/app/(console)/tasks/sees-own-tasks-only";
import { TaskScreen } from "@/app/(console)/tasks/task-screen";
import { listParameters } from "@/components/filters/status-model-filter";
import { ProjectListPage } from "@/components/object-page/project-list-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { wholeList } from "@/components/queries/reads/whole-list";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
import { taskStatuses } from "@/lib/contract/calls/task-statuses";

export const metadata = { title: "Tasks" };

type TasksPageProps = { params: Promise<{ id: string }>; searchParams: Promise<PageQuery> };

export default async function TasksPage({ params, searchParams }: TasksPageProps) {
  const query = await searchParams;
  return (
    <ProjectListPage
      params={params}
      title="Tasks"
      sentence="Images, videos and music created for a project."
      to="list the tasks"
      endpoint="GET /tasks"
      without="Each task belongs to a project, whose limits apply to it."
    >
      {({ project, viewer }) => {
        const parameters = listParameters(project.id, taskStatuses, findInQuery(query));
        return (
          <Prefetched
            reads={[
              { pages: seesOwnTasksOnly(viewer, project.id) ? "listOwnTasks" : "listTasks", parameters },
              wholeList("listOrganizationModels"),
            ]}
          >
            <TaskScreen key={project.id} project={project} viewer={viewer} />
          </Prefetched>
        );
      }}
    </ProjectListPage>
  );
}
