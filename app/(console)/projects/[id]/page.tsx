import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { computePeriodStarts } from "@/app/usage-figures/compute-period-starts";
import { readNowSeconds } from "@/components/filters/time-range";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { environment } from "@/lib/console/environment";
import { permissionsIn } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/access/permissions";
import { ProjectPageScreen } from "../project-page-screen";
import { isSlow, projectRead, tabReads } from "../project-reads";
import { chooseTab } from "../project-tabs";

export const metadata = { title: "Project" };

type ProjectPageProps = {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ tab?: string | string[] }>;
};

export default async function ProjectPage({ params, searchParams }: ProjectPageProps) {
  await requireSession();
  const [{ id }, { tab }, { support, me }] = await Promise.all([params, searchParams, signedInPerson()]);
  const projectId = decodeURIComponent(id);
  if (support === "specification") {
    return (
      <Page>
        <UnsupportedState level={1} operation="show projects">
          It has no operation for them. A project’s id can still be typed where rate limits are set.
        </UnsupportedState>
      </Page>
    );
  }
  const inProject = me && permissionsIn(me, projectId);
  const may = (permission: Permission) => inProject?.includes(permission) ?? true;
  const { shown, current } = chooseTab(may, tab);
  const since = computePeriodStarts(readNowSeconds());
  const asked = tabReads(current.id, projectId, since, may);
  return (
    <Prefetched
      reads={[projectRead(projectId), ...asked.filter((read) => !isSlow(read))]}
      slowReads={asked.filter(isSlow)}
    >
      <ProjectPageScreen
        key={projectId}
        projectId={projectId}
        tab={current.id}
        tabs={shown.map((one) => one.id)}
        since={since}
        currency={me?.organization.currency ?? "USD"}
        baseUrl={environment().gateway.baseUrl}
        inProject={inProject}
        held={me && { permissions: me.permissions, project_permissions: me.project_permissions }}
        ownId={me?.user?.id ?? null}
      />
    </Prefetched>
  );
}
