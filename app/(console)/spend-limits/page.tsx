import { Prefetched } from "@/app/queries/prefetched";
import { nowInSeconds } from "@/components/table/time-range";
import { Page } from "@/components/ui/page";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/permissions";
import { sinceOf } from "../projects/reads-of-project";
import { sessionData } from "../session-data";
import { spendReads } from "./reads-of-spend";
import { SpendLimitScreen } from "./spend-limit-screen";

export const metadata = { title: "Spend limits" };

export default async function SpendLimitsPage() {
  await requireSession();
  const { offer, me, projects } = await sessionData();
  if (offer === "specification") {
    return (
      <Page>
        <UnsupportedState level={1} operation="set spend limits">
          It has no operation for them. The balance alone bounds what calls cost.
        </UnsupportedState>
      </Page>
    );
  }
  const may = (permission: Permission) => me?.permissions.includes(permission) ?? true;
  const { month } = sinceOf(nowInSeconds());
  return (
    <Page>
      <Prefetched reads={spendReads({ project: null, may, monthStart: month })}>
        <SpendLimitScreen
          currency={me?.organization.currency ?? "USD"}
          held={me?.permissions ?? null}
          monthStart={month}
          projects={projects ?? []}
        />
      </Prefetched>
    </Page>
  );
}
