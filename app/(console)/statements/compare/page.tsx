import { redirect } from "next/navigation";
import { isMonth } from "@/app/(console)/statements/statement-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { wholeList } from "@/components/queries/reads/whole-list";
import { paths } from "@/lib/console/paths";
import { InvoiceScreen } from "./invoice-screen";

export const metadata = { title: "Compare an invoice" };

type InvoicePageProps = { searchParams: Promise<{ month?: string | string[] }> };

/** `month` selects the statement to compare with. Required. */
export default function InvoicePage({ searchParams }: InvoicePageProps) {
  return (
    <OrganizationPage
      title="Compare an invoice"
      to="see a statement"
      endpoint="GET /organization/statements/{month}"
    >
      {async () => {
        const { month } = await searchParams;
        if (typeof month !== "string" || !isMonth(month)) redirect(paths.statements());
        return (
          <Prefetched reads={[["retrieveStatement", { month }], wholeList("listOrganizationModels")]}>
            <InvoiceScreen key={month} month={month} />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
