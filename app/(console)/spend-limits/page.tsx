import { spendReads } from "@/components/money/spend-reads";
import { OrganizationPage } from "@/components/object-page/organization-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { computePeriodStarts } from "@/components/usage/compute-period-starts";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import { SpendLimitScreen } from "./spend-limit-screen";

export const metadata = { title: "Spend limits" };

export default function SpendLimitsPage() {
  return (
    <OrganizationPage
      to="set spend limits"
      instead="It has no operation for them. Only the balance limits spending."
    >
      {async () => {
        const { me, listProjects } = await sessionData();
        const may = (permission: Permission) => holdsInOrganization(me, permission);
        const { month } = computePeriodStarts(nowSeconds());
        return (
          <Prefetched reads={spendReads({ project: null, may, monthStart: month })}>
            <SpendLimitScreen
              currency={me?.organization.currency ?? "USD"}
              held={me && { permissions: me.permissions }}
              monthStart={month}
              projects={(await listProjects()) ?? []}
            />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
