import { Suspense } from "react";
import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { FormSkeleton } from "@/components/ui/skeleton";
import { requireSession } from "@/lib/console/session";
import { sessionData } from "../session-data";
import { Calculator } from "./calculator";

export const metadata = { title: "Calculator" };

export default async function CalculatorPage() {
  await requireSession();
  const { offer, me, mayInProject } = await sessionData();
  const hasModels = offer === "everything" && mayInProject("api.models.read");
  const calculator = <Calculator hasModels={hasModels} currency={me?.organization.currency} />;
  return (
    <Page>
      <PageHead
        title="Calculator"
        sentence="What a payment is worth at list prices, and what a worth costs: the arithmetic of the ledger."
      />
      <Suspense fallback={<FormSkeleton />}>
        {hasModels ? (
          <Prefetched reads={[["listOrganizationModels", { limit: "1000" }]]}>{calculator}</Prefetched>
        ) : (
          calculator
        )}
      </Suspense>
    </Page>
  );
}
