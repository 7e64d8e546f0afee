import { readsOfFilters } from "@/components/filters/filter-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { LoadChartsAhead } from "@/components/usage/lazy-usage-chart";
import { parseUsageView } from "@/components/usage/usage-query";
import { holdsAnywhere } from "@/lib/console/permissions-in";
import { UsageScreen } from "./usage-screen";

export const metadata = { title: "Usage" };

const READ_USAGE = "api.usage.read";

type UsagePageProps = { searchParams: Promise<PageQuery> };

export default function UsagePage({ searchParams }: UsagePageProps) {
  return (
    <OrganizationPage title="Usage" to="show the usage" endpoint="GET /organization/usage_summary">
      {async () => {
        const [{ me }, query] = await Promise.all([signedInPerson(), searchParams]);
        const read = holdsAnywhere(me, READ_USAGE) ? "retrieveUsageSummary" : "retrieveOwnUsageSummary";
        const openedAt = nowSeconds();
        const { parameters } = parseUsageView(findInQuery(query), openedAt, read);
        return (
          <>
            <LoadChartsAhead />
            <Prefetched
              reads={readsOfFilters(query, { projects: "project_id", models: "model", members: "user_id" })}
              slowReads={[[read, parameters]]}
            >
              <UsageScreen
                openedAt={openedAt}
                read={read}
                canTry={holdsAnywhere(me, "api.playground.write")}
              />
            </Prefetched>
          </>
        );
      }}
    </OrganizationPage>
  );
}
