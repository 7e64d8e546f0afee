import { Prefetched } from "@/app/queries/reads/prefetched";
import { sessionData } from "@/app/queries/session/session-data";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { parseProjectStatus, projectsRead } from "./project-list/project-list-reads";
import { ProjectScreen } from "./project-list/project-screen";

export const metadata = { title: "Projects" };

type ProjectsPageProps = { searchParams: Promise<{ status?: string | string[] }> };

export default async function ProjectsPage({ searchParams }: ProjectsPageProps) {
  await requireSession();
  const { status } = await searchParams;
  const { support, me, currentProjectId } = await sessionData();
  return (
    <Page>
      {support === "specification" ? (
        <UnsupportedState level={1} operation="list projects">
          It has no operation for them. A project’s id can still be typed where rate limits are set.
        </UnsupportedState>
      ) : (
        <Prefetched reads={[projectsRead(parseProjectStatus(String(status ?? "")))]}>
          <ProjectScreen
            currentProjectId={currentProjectId}
            canCreate={holdsInOrganization(me, "api.projects.write")}
          />
        </Prefetched>
      )}
    </Page>
  );
}
