import { readsOfFilters } from "@/app/filters/filter-reads";
import { OrganizationPage } from "@/app/object-page/organization-page";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { nowSeconds } from "@/components/time/server-clock";
import { requestParameters } from "./request-filter";
import { RequestScreen } from "./request-screen";

export const metadata = { title: "Requests" };

type RequestsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default function RequestsPage({ searchParams }: RequestsPageProps) {
  return (
    <OrganizationPage title="Requests" to="list the calls" endpoint="GET /organization/requests">
      {async () => {
        const query = await searchParams;
        const openedAt = nowSeconds();
        const parameters = requestParameters((name) => String(query[name] ?? ""), openedAt);
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
