import { Plus, Upload } from "lucide-react";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { LinkButton } from "@/components/links/link-button";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/access/permissions";
import { approvalRead, pendingRead } from "./payment-reads";
import { PaymentScreen } from "./payment-screen";

export const metadata = { title: "Payments" };

export default async function PaymentsPage() {
  await requireSession();
  const { support, me } = await signedInPerson();
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Payments" />
        <UnsupportedState operation="list payments" endpoint="GET /organization/pending_payments">
          That gateway has no payments that need approval.
        </UnsupportedState>
      </Page>
    );
  }
  const may = (permission: Permission) => holdsInOrganization(me, permission);
  return (
    <Page>
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
          mayDecide={may("api.payments.write")}
          mayConfigure={may("api.payment_approval.write")}
          userId={me?.user?.id ?? null}
        />
      </Prefetched>
    </Page>
  );
}
