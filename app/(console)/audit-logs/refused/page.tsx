import { readsOfFilters } from "@/app/filters/filter-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { wholeList } from "@/app/queries/reads/whole-list";
import { readNowSeconds } from "@/components/filters/time-range";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { findGatewaySupport } from "@/lib/console/sign-in/gateway-support";
import { requireSession } from "@/lib/console/sign-in/session";
import { refusalParameters } from "./refusal-filter";
import { RefusalScreen } from "./refusal-screen";

export const metadata = { title: "Refused access" };

type RefusalsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function RefusalsPage({ searchParams }: RefusalsPageProps) {
  const support = findGatewaySupport(await requireSession());
  const query = await searchParams;
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Refused access" />
        <UnsupportedState operation="list refused access" endpoint="GET /organization/access_refusals" />
      </Page>
    );
  }
  const openedAt = readNowSeconds();
  const parameters = refusalParameters((name) => String(query[name] ?? ""), openedAt);
  return (
    <Page>
      <Prefetched
        reads={[
          { pages: "listAccessRefusals", parameters },
          wholeList("listProjects"),
          ...readsOfFilters(query, { members: "caller_ids" }),
        ]}
      >
        <RefusalScreen openedAt={openedAt} />
      </Prefetched>
    </Page>
  );
}
