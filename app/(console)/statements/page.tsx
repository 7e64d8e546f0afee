import { Prefetched } from "@/app/queries/reads/prefetched";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { findGatewaySupport } from "@/lib/console/sign-in/gateway-support";
import { requireSession } from "@/lib/console/sign-in/session";
import { StatementList } from "./statement-list";
import { statementsRead } from "./statement-reads";

export const metadata = { title: "Statements" };

export default async function StatementsPage() {
  const support = findGatewaySupport(await requireSession());
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Statements" />
        <UnsupportedState operation="list statements" endpoint="GET /organization/statements" />
      </Page>
    );
  }
  return (
    <Page>
      <PageHead
        title="Statements"
        sentence="The opening balance, payments, charges, corrections and closing balance of each calendar month (UTC). A closed month never changes."
      />
      <Prefetched reads={[statementsRead]}>
        <StatementList />
      </Prefetched>
    </Page>
  );
}
