import { ProjectSpendScreen } from "@/app/(console)/spend-limits/project-spend-screen";
import { spendReads } from "@/components/money/spend-reads";
import { ObjectPage, type ObjectPageProps } from "@/components/object-page/object-page";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { computePeriodStarts } from "@/components/usage/compute-period-starts";
import { holdsInProject } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";

export const metadata = { title: "Spend limit" };

export default function ProjectSpendPage({ params }: Pick<ObjectPageProps, "params">) {
  return (
    <ObjectPage
      params={params}
      unsupported={{
        to: "set spend limits",
        instead: "It has no operation for them. Only the balance limits spending.",
      }}
    >
      {({ id, session: { me } }) => {
        const may = (permission: Permission) => holdsInProject(me, id, permission);
        const { month } = computePeriodStarts(nowSeconds());
        return {
          reads: [
            ["retrieveProject", { project_id: id }],
            ...spendReads({ project: { id }, may, monthStart: month }),
          ],
          screen: (
            <ProjectSpendScreen
              key={id}
              projectId={id}
              currency={me?.organization.currency ?? "USD"}
              held={me && { permissions: me.permissions, project_permissions: me.project_permissions }}
              monthStart={month}
            />
          ),
        };
      }}
    </ObjectPage>
  );
}
