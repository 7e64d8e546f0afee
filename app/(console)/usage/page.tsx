import { readsOfFilters } from "@/app/filters/filter-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { LoadChartsAhead } from "@/app/usage-figures/lazy-usage-chart";
import { parseUsageView } from "@/app/usage-figures/usage-query";
import { readNowSeconds } from "@/components/filters/time-range";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { holdsAnywhere } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { UsageScreen } from "./usage-screen";

export const metadata = { title: "Usage" };

const READ_USAGE = "api.usage.read";

type UsagePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function UsagePage({ searchParams }: UsagePageProps) {
  await requireSession();
  const [{ support, me }, query] = await Promise.all([signedInPerson(), searchParams]);
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Usage" />
        <UnsupportedState operation="show the usage" endpoint="GET /organization/usage_summary" />
      </Page>
    );
  }
  const read = holdsAnywhere(me, READ_USAGE) ? "retrieveUsageSummary" : "retrieveOwnUsageSummary";
  const openedAt = readNowSeconds();
  const { parameters } = parseUsageView((name) => String(query[name] ?? ""), openedAt, read);
  return (
    <Page>
      <LoadChartsAhead />
      <Prefetched
        reads={readsOfFilters(query, { projects: "project_id", models: "model", members: "user_id" })}
        slowReads={[[read, parameters]]}
      >
        <UsageScreen openedAt={openedAt} read={read} canTry={holdsAnywhere(me, "api.playground.write")} />
      </Prefetched>
    </Page>
  );
}
