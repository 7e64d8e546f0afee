import { readsOfFilters } from "@/app/filters/filter-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { readNowSeconds } from "@/components/filters/time-range";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { findGatewaySupport } from "@/lib/console/sign-in/gateway-support";
import { requireSession } from "@/lib/console/sign-in/session";
import { requestParameters } from "./request-filter";
import { RequestScreen } from "./request-screen";

export const metadata = { title: "Requests" };

type RequestsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function RequestsPage({ searchParams }: RequestsPageProps) {
  const support = findGatewaySupport(await requireSession());
  const query = await searchParams;
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Requests" />
        <UnsupportedState operation="list the calls" endpoint="GET /organization/requests" />
      </Page>
    );
  }
  const openedAt = readNowSeconds();
  const parameters = requestParameters((name) => String(query[name] ?? ""), openedAt);
  return (
    <Page>
      <Prefetched
        reads={[
          { pages: "listRequests", parameters },
          ...readsOfFilters(query, { projects: "project_id", models: "model" }),
        ]}
        slowReads={[["retrieveRequestHistogram", { ...parameters, limit: undefined }]]}
      >
        <RequestScreen openedAt={openedAt} />
      </Prefetched>
    </Page>
  );
}
