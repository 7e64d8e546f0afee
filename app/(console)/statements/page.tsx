import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { PageHead } from "@/components/ui/page";
import { StatementList } from "./statement-list";
import { statementsRead } from "./statement-reads";

export const metadata = { title: "Statements" };

export default function StatementsPage() {
  return (
    <OrganizationPage title="Statements" to="list statements" endpoint="GET /organization/statements">
      {() => (
        <>
          <PageHead
            title="Statements"
            sentence="The opening balance, payments, charges, corrections and closing balance of each calendar month (UTC). A closed month never changes."
          />
          <Prefetched reads={[statementsRead]}>
            <StatementList />
          </Prefetched>
        </>
      )}
    </OrganizationPage>
  );
}
