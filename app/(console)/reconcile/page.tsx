import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { ReconcileScreen } from "./reconcile-screen";

export const metadata = { title: "Reconcile" };

export default function ReconcilePage() {
  return (
    <OrganizationPage title="Reconcile" to="check the books" endpoint="GET /organization/reconciliation">
      {() => (
        <Prefetched reads={["retrieveReconciliation"]}>
          <ReconcileScreen />
        </Prefetched>
      )}
    </OrganizationPage>
  );
}
