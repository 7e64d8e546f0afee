import { OrganizationPage } from "@/components/object-page/object-page";
import { signedInPerson } from "@/components/queries/session/session-data";
import { Page } from "@/components/ui/page";
import { RefusedState } from "@/components/ui/states/refused-state";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { UploadScreen } from "./upload-screen";

export const metadata = { title: "Upload members" };

export default function UploadMembersPage() {
  return (
    <OrganizationPage
      title="Upload members"
      to="plan members of a file"
      endpoint="POST /organization/configuration/plan"
      isWide
    >
      {async () => {
        const { me } = await signedInPerson();
        if (holdsInOrganization(me, "api.invites.write"))
          return <UploadScreen consoleOrigin={environment().consoleOrigin} />;
        return (
          <Page>
            <RefusedState to="upload members" permissions={["api.invites.write"]} />
          </Page>
        );
      }}
    </OrganizationPage>
  );
}
