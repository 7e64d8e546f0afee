import { OrganizationPage } from "@/components/object-page/organization-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { PageHead } from "@/components/ui/page-head";
import { isKnownToHold } from "@/lib/console/permissions-in";
import { OrganizationScreen } from "./organization-screen";

export const metadata = { title: "Organization" };

export default function OrganizationSettingsPage() {
  return (
    <OrganizationPage title="Organization" to="change the organization" endpoint="GET /organization/settings">
      {async () => {
        const { me } = await signedInPerson();
        return (
          <>
            <PageHead
              title="Organization"
              sentence="What people who are invited, and your statements, call it."
            />
            <Prefetched reads={["retrieveOrganization"]}>
              <OrganizationScreen canChange={isKnownToHold(me, "api.organization.write")} />
            </Prefetched>
          </>
        );
      }}
    </OrganizationPage>
  );
}
