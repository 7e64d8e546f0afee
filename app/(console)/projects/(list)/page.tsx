import { parseProjectStatus, projectsRead } from "@/app/(console)/projects/project-list/project-list-reads";
import { ProjectScreen } from "@/app/(console)/projects/project-list/project-screen";
import { OrganizationPage } from "@/components/object-page/organization-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { findInQuery, type PageQuery } from "@/components/ui/filters/find-in-address";
import { holdsInOrganization } from "@/lib/console/permissions-in";

export const metadata = { title: "Projects" };

type ProjectsPageProps = { searchParams: Promise<PageQuery> };

export default function ProjectsPage({ searchParams }: ProjectsPageProps) {
  return (
    <OrganizationPage
      to="list projects"
      instead="It has no operation for them. A project’s id can still be typed where rate limits are set."
    >
      {async () => {
        const status = findInQuery(await searchParams)("status");
        const { me } = await signedInPerson();
        return (
          <Prefetched reads={[projectsRead(parseProjectStatus(status))]}>
            <ProjectScreen canCreate={holdsInOrganization(me, "api.projects.write")} />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
