import { readsOfFilters } from "@/components/filters/filter-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { requestParameters } from "./request-filter";
import { RequestScreen } from "./request-screen";

export const metadata = { title: "Requests" };

type RequestsPageProps = { searchParams: Promise<PageQuery> };

export default function RequestsPage({ searchParams }: RequestsPageProps) {
  return (
    <OrganizationPage title="Requests" to="list the calls" endpoint="GET /organization/requests">
      {async () => {
        const query = await searchParams;
        const openedAt = nowSeconds();
        const parameters = requestParameters(findInQuery(query), openedAt);
        return (
          <Prefetched
            reads={[
              { pages: "listRequests", parameters },
              ...readsOfFilters(query, { projects: "project_id", models: "model" }),
            ]}
            slowReads={[["retrieveRequestHistogram", { ...parameters, limit: undefined }]]}
          >
            <RequestScreen openedAt={openedAt} />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
