import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { RefusedState } from "@/components/states/refused-state";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { ImportScreen } from "./import-screen";

export const metadata = { title: "Import payments" };

export default async function ImportPaymentsPage() {
  await requireSession();
  const { support, me } = await signedInPerson();
  const mayPay = holdsInOrganization(me, "api.payments.write");
  return (
    <Page>
      <PageHead
        title="Import payments"
        sentence="Records received payments from a CSV file. You see what each row means before anything is recorded."
      />
      {support === "specification" ? (
        <UnsupportedState operation="import payments" endpoint="POST /organization/payments/import" />
      ) : mayPay ? (
        <Prefetched reads={me ? [] : ["retrieveBalance"]}>
          <ImportScreen currency={me?.organization.currency} />
        </Prefetched>
      ) : (
        <RefusedState to="import payments" permissions={["api.payments.write"]} />
      )}
    </Page>
  );
}
