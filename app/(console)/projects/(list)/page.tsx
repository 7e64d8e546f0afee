import { ProjectScreen } from "@/app/(console)/projects/project-list/project-screen";
import { bySpent, projectSummaryRead } from "@/components/money/project-summary-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
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
        const { me } = await signedInPerson();
        return (
          <Prefetched reads={[projectSummaryRead(findInQuery(await searchParams), bySpent)]}>
            <ProjectScreen
              currency={me?.organization.currency ?? "USD"}
              may={{
                create: holdsInOrganization(me, "api.projects.write"),
                setLimits: holdsInOrganization(me, "api.spend_limits.write"),
                archive: holdsInOrganization(me, "api.projects.write"),
              }}
            />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
