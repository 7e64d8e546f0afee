import { Prefetched } from "@/app/queries/reads/prefetched";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { findGatewaySupport } from "@/lib/console/sign-in/gateway-support";
import { requireSession } from "@/lib/console/sign-in/session";
import { ReconcileScreen } from "./reconcile-screen";

export const metadata = { title: "Reconcile" };

export default async function ReconcilePage() {
  const support = findGatewaySupport(await requireSession());
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Reconcile" />
        <UnsupportedState operation="check the books" endpoint="GET /organization/reconciliation" />
      </Page>
    );
  }
  return (
    <Page>
      <Prefetched reads={["retrieveReconciliation"]}>
        <ReconcileScreen />
      </Prefetched>
    </Page>
  );
}
