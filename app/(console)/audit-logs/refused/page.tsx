import { readsOfFilters } from "@/components/filters/filter-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { wholeList } from "@/components/queries/reads/whole-list";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { refusalParameters } from "./refusal-filter";
import { RefusalScreen } from "./refusal-screen";

export const metadata = { title: "Refused access" };

type RefusalsPageProps = { searchParams: Promise<PageQuery> };

export default function RefusalsPage({ searchParams }: RefusalsPageProps) {
  return (
    <OrganizationPage
      title="Refused access"
      to="list refused access"
      endpoint="GET /organization/access_refusals"
    >
      {async () => {
        const query = await searchParams;
        const openedAt = nowSeconds();
        const parameters = refusalParameters(findInQuery(query), openedAt);
        return (
          <Prefetched
            reads={[
              { pages: "listAccessRefusals", parameters },
              wholeList("listProjects"),
              ...readsOfFilters(query, { members: "caller_ids" }),
            ]}
          >
            <RefusalScreen openedAt={openedAt} />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
