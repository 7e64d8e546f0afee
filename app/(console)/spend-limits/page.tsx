import { Prefetched } from "@/app/queries/reads/prefetched";
import { sessionData } from "@/app/queries/session/session-data";
import { spendReads } from "@/app/spend-controls/spend-reads";
import { computePeriodStarts } from "@/app/usage-figures/compute-period-starts";
import { readNowSeconds } from "@/components/filters/time-range";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/access/permissions";
import { SpendLimitScreen } from "./spend-limit-screen";

export const metadata = { title: "Spend limits" };

export default async function SpendLimitsPage() {
  await requireSession();
  const { support, me, listProjects } = await sessionData();
  if (support === "specification") {
    return (
      <Page>
        <UnsupportedState level={1} operation="set spend limits">
          It has no operation for them. Only the balance limits spending.
        </UnsupportedState>
      </Page>
    );
  }
  const may = (permission: Permission) => holdsInOrganization(me, permission);
  const { month } = computePeriodStarts(readNowSeconds());
  return (
    <Page>
      <Prefetched reads={spendReads({ project: null, may, monthStart: month })}>
        <SpendLimitScreen
          currency={me?.organization.currency ?? "USD"}
          held={me?.permissions ?? null}
          monthStart={month}
          projects={(await listProjects()) ?? []}
        />
      </Prefetched>
    </Page>
  );
}
