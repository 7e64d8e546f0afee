import { redirect } from "next/navigation";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { wholeList } from "@/app/queries/reads/whole-list";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import { findGatewaySupport } from "@/lib/console/sign-in/gateway-support";
import { requireSession } from "@/lib/console/sign-in/session";
import { isMonth } from "../is-month";
import { InvoiceScreen } from "./invoice-screen";

export const metadata = { title: "Compare an invoice" };

type InvoicePageProps = { searchParams: Promise<{ month?: string | string[] }> };

/** `month` selects the statement to compare with. Required. */
export default async function InvoicePage({ searchParams }: InvoicePageProps) {
  const support = findGatewaySupport(await requireSession());
  const { month } = await searchParams;
  if (typeof month !== "string" || !isMonth(month)) redirect(paths.statements());
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Compare an invoice" />
        <UnsupportedState operation="see a statement" endpoint="GET /organization/statements/{month}" />
      </Page>
    );
  }
  return (
    <Page>
      <Prefetched reads={[["retrieveStatement", { month }], wholeList("listOrganizationModels")]}>
        <InvoiceScreen key={month} month={month} />
      </Prefetched>
    </Page>
  );
}
