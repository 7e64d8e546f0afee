import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { PageHead } from "@/components/ui/page";
import { RefusedState } from "@/components/ui/states/refused-state";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { ImportScreen } from "./import-screen";

export const metadata = { title: "Import payments" };

export default function ImportPaymentsPage() {
  return (
    <OrganizationPage
      title="Import payments"
      to="import payments"
      endpoint="POST /organization/payments/import"
    >
      {async () => {
        const { me } = await signedInPerson();
        const canPay = holdsInOrganization(me, "api.payments.write");
        return (
          <>
            <PageHead
              title="Import payments"
              sentence="Records received payments from a CSV file. You see what each row means before anything is recorded."
            />
            {canPay ? (
              <Prefetched reads={me ? [] : ["retrieveBalance"]}>
                <ImportScreen currency={me?.organization.currency} />
              </Prefetched>
            ) : (
              <RefusedState to="import payments" permissions={["api.payments.write"]} />
            )}
          </>
        );
      }}
    </OrganizationPage>
  );
}
