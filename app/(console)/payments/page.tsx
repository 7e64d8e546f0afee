import { Plus, Upload } from "lucide-react";
import { OrganizationPage } from "@/components/object-page/organization-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { LinkButton } from "@/components/ui/links/link-button";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import { approvalRead, pendingRead } from "./payment-reads";
import { PaymentScreen } from "./payment-screen";

export const metadata = { title: "Payments" };

export default function PaymentsPage() {
  return (
    <OrganizationPage
      title="Payments"
      to="list payments"
      endpoint="GET /organization/pending_payments"
      instead="That gateway has no payments that need approval."
    >
      {async () => {
        const { me } = await signedInPerson();
        const may = (permission: Permission) => holdsInOrganization(me, permission);
        return (
          <>
            <PageHead
              title="Payments"
              sentence="Record and import payments. One above the approval amount waits for a second person."
              action={
                may("api.payments.write") && (
                  <>
                    <LinkButton href={paths.importPayments()}>
                      <Upload aria-hidden />
                      Import payments
                    </LinkButton>
                    <LinkButton variant="primary" href={paths.balance({ open: "new-payment" })}>
                      <Plus aria-hidden />
                      Record payment
                    </LinkButton>
                  </>
                )
              }
            />
            <Prefetched reads={[approvalRead, pendingRead]}>
              <PaymentScreen
                canDecide={may("api.payments.write")}
                canConfigure={may("api.payment_approval.write")}
              />
            </Prefetched>
          </>
        );
      }}
    </OrganizationPage>
  );
}
