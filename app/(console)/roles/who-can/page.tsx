import { UnsupportedPage } from "@/components/object-page/object-page";
import { sessionData } from "@/components/queries/session/session-data";
import { Page } from "@/components/ui/page";
import { RefusedState } from "@/components/ui/states/refused-state";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { WhoCanScreen } from "./who-can-screen";

export const metadata = { title: "Who can…?" };

export default async function WhoCanPage() {
  await requireSession();
  const { support, me, listProjects } = await sessionData();
  if (support === "specification")
    return (
      <UnsupportedPage
        title="Who can…?"
        to="list who holds a permission"
        endpoint="GET /organization/permissions/{permission}/holders"
      />
    );
  return (
    <Page>
      {holdsInOrganization(me, "api.role_assignments.read") ? (
        <WhoCanScreen
          projects={(await listProjects()) ?? []}
          seesMembers={holdsInOrganization(me, "api.users.read")}
        />
      ) : (
        <RefusedState to="see who holds which role" permissions={["api.role_assignments.read"]} />
      )}
    </Page>
  );
}
