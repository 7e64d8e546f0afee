import { isMonth } from "@/app/(console)/statements/statement-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { PageHead } from "@/components/ui/page";
import { monthName } from "@/components/ui/time/month-name";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { UnknownStatement } from "../statement-read";
import { StatementScreen } from "../statement-screen";

type StatementPageProps = { params: Promise<{ month: string }> };

export async function generateMetadata({ params }: StatementPageProps) {
  const { month } = await params;
  return { title: isMonth(month) ? `Statement of ${monthName(month)}` : "Statement" };
}

export default function StatementPage({ params }: StatementPageProps) {
  return (
    <OrganizationPage title="Statement" to="see a statement" endpoint="GET /organization/statements/{month}">
      {async () => {
        const month = decodeURIComponent((await params).month);
        if (!isMonth(month)) {
          return (
            <>
              <PageHead title="Statement" />
              <UnknownStatement month={month} />
            </>
          );
        }
        const { me } = await signedInPerson();
        return (
          <Prefetched reads={[["retrieveStatement", { month }]]}>
            <StatementScreen
              key={month}
              month={month}
              logo={me?.organization.logo ?? null}
              canClose={holdsInOrganization(me, "api.statements.write")}
            />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
