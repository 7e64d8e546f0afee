import { byReached, projectSummaryRead } from "@/components/money/project-summary-reads";
import { spendReads } from "@/components/money/spend-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { computePeriodStarts } from "@/components/usage/compute-period-starts";
import { holdsAnywhere, holdsInOrganization } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import { SpendLimitScreen } from "./spend-limit-screen";

export const metadata = { title: "Spend limits" };

export default function SpendLimitsPage({ searchParams }: { searchParams: Promise<PageQuery> }) {
  return (
    <OrganizationPage
      to="set spend limits"
      instead="It has no operation for them. Only the balance limits spending."
    >
      {async () => {
        const { me, listProjects } = await sessionData();
        const may = (permission: Permission) => holdsInOrganization(me, permission);
        const { month } = computePeriodStarts(nowSeconds());
        const seesProjects = holdsAnywhere(me, "api.projects.read");
        const list = projectSummaryRead(findInQuery(await searchParams), byReached);
        return (
          <Prefetched
            reads={[
              ...spendReads({ project: null, may, monthStart: month }),
              ...(seesProjects ? [list] : []),
            ]}
          >
            <SpendLimitScreen
              currency={me?.organization.currency ?? "USD"}
              held={me && { permissions: me.permissions }}
              monthStart={month}
              projects={(await listProjects()) ?? []}
              seesProjects={seesProjects}
            />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
