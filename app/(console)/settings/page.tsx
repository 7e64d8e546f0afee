import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { holdersRead, rolesRead } from "@/components/roles/member-reads";
import { PageHead } from "@/components/ui/page";
import { isKnownToHold } from "@/lib/console/permissions-in";
import { ApprovalSection } from "./approval-section";
import { OrganizationScreen } from "./organization-screen";

export const metadata = { title: "Organization" };

export default function OrganizationSettingsPage() {
  return (
    <OrganizationPage title="Organization" to="change the organization" endpoint="GET /organization/settings">
      {async () => {
        const { me } = await signedInPerson();
        const sees = {
          approval: isKnownToHold(me, "api.ledger.read"),
          holders: isKnownToHold(me, "api.role_assignments.read") && isKnownToHold(me, "api.roles.read"),
        };
        return (
          <>
            <PageHead
              title="Organization"
              sentence="The name and logo on invitations and statements, and how everybody sees dates and numbers."
            />
            <Prefetched
              reads={[
                "retrieveOrganization",
                ...(sees.approval ? (["retrievePaymentApproval"] as const) : []),
                ...(sees.holders ? [rolesRead, holdersRead] : []),
              ]}
            >
              <div className="grid gap-10">
                <OrganizationScreen canChange={isKnownToHold(me, "api.organization.write")} />
                {sees.approval && (
                  <ApprovalSection
                    canSet={isKnownToHold(me, "api.payment_approval.write")}
                    seesHolders={sees.holders}
                  />
                )}
              </div>
            </Prefetched>
          </>
        );
      }}
    </OrganizationPage>
  );
}
