import { redirect } from "next/navigation";
import { ObjectPage, type ObjectPageProps } from "@/components/object-page/object-page";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { computePeriodStarts } from "@/components/usage/compute-period-starts";
import { holdsInProject } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import { ProjectPageScreen } from "../../project-page-screen";
import { isSlow, projectRead, tabReads } from "../../project-reads";
import { chooseTab, formerTabs } from "../../project-tabs";

export const metadata = { title: "Project" };

type ProjectRouteProps = Pick<ObjectPageProps, "params"> & {
  searchParams: Promise<{ tab?: string | string[] }>;
};

export default function ProjectPage({ params, searchParams }: ProjectRouteProps) {
  return (
    <ObjectPage
      params={params}
      unsupported={{
        to: "show projects",
        instead: "It has no operation for them. A project’s id can still be typed where rate limits are set.",
      }}
    >
      {async ({ id: projectId, session: { me } }) => {
        const { tab } = await searchParams;
        const leadOn = formerTabs.get(tab);
        if (leadOn) redirect(leadOn(projectId));
        const may = (permission: Permission) => holdsInProject(me, projectId, permission);
        const { shown, current } = chooseTab(may, tab);
        const since = computePeriodStarts(nowSeconds());
        const asked = tabReads(current.id, projectId, since, may);
        return {
          reads: [projectRead(projectId), ...asked.filter((read) => !isSlow(read))],
          slowReads: asked.filter(isSlow),
          screen: (
            <ProjectPageScreen
              key={projectId}
              projectId={projectId}
              tab={current.id}
              tabs={shown.map((one) => one.id)}
              since={since}
              held={me && { permissions: me.permissions, project_permissions: me.project_permissions }}
              ownId={me?.user?.id ?? null}
            />
          ),
        };
      }}
    </ObjectPage>
  );
}
