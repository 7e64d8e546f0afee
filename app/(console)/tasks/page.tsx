import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/sign-in/session";
import { NoAnswer } from "../no-answer";
import { NoProject } from "../no-project";
import { knownOf } from "../object-page";
import { sessionData } from "../session-data";
import { taskParameters } from "./task-filter";
import { TaskScreen } from "./task-screen";

export const metadata = { title: "Tasks" };

type TasksPageProps = { searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> };

export default async function TasksPage({ searchParams }: TasksPageProps) {
  await requireSession();
  const [session, query] = await Promise.all([sessionData(), searchParams]);
  const { offer, projects, currentProjectId, problem } = session;
  if (offer === "specification" || !currentProjectId) {
    return (
      <Page>
        <PageHead title="Tasks" sentence="What image, video and music models make for a project." />
        {offer === "specification" ? (
          <UnsupportedState operation="list the tasks" endpoint="GET /tasks" />
        ) : problem ? (
          <NoAnswer to="list the tasks" problem={problem} />
        ) : (
          <NoProject>Every task belongs to a project, whose limits hold for it.</NoProject>
        )}
      </Page>
    );
  }
  const name = projects?.find(({ id }) => id === currentProjectId)?.name ?? currentProjectId;
  const parameters = taskParameters(currentProjectId, (filter) => String(query[filter] ?? ""));
  return (
    <Page>
      <Prefetched reads={[{ pages: "listTasks", parameters }, ["listOrganizationModels", { limit: "1000" }]]}>
        <TaskScreen
          key={currentProjectId}
          project={{ id: currentProjectId, name }}
          viewer={knownOf(session)}
        />
      </Prefetched>
    </Page>
  );
}
