import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { monthName } from "@/components/time/month-name";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { isMonth } from "../is-month";
import { UnknownStatement } from "../statement-read";
import { StatementScreen } from "../statement-screen";

type StatementPageProps = { params: Promise<{ month: string }> };

export async function generateMetadata({ params }: StatementPageProps) {
  const { month } = await params;
  return { title: isMonth(month) ? `Statement of ${monthName(month)}` : "Statement" };
}

export default async function StatementPage({ params }: StatementPageProps) {
  await requireSession();
  const month = decodeURIComponent((await params).month);
  if (!isMonth(month)) {
    return (
      <Page>
        <PageHead title="Statement" />
        <UnknownStatement month={month} />
      </Page>
    );
  }
  const { support, me } = await signedInPerson();
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Statement" />
        <UnsupportedState operation="see a statement" endpoint="GET /organization/statements/{month}" />
      </Page>
    );
  }
  return (
    <Page>
      <Prefetched reads={[["retrieveStatement", { month }]]}>
        <StatementScreen
          key={month}
          month={month}
          mayClose={holdsInOrganization(me, "api.statements.write")}
        />
      </Prefetched>
    </Page>
  );
}
