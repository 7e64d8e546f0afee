import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { holdersRead, rolesRead } from "@/app/role-assignments/member-reads";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization, isKnownToHold } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { RoleScreen } from "../role-screen";

export const metadata = { title: "Role" };

export default async function RolePage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const roleId = decodeURIComponent((await params).id);
  const { support, me } = await signedInPerson();
  if (support === "specification") {
    return (
      <Page>
        <UnsupportedState level={1} operation="show roles">
          It only creates them. What it replied is shown where the role was created.
        </UnsupportedState>
      </Page>
    );
  }
  const seesHolders = isKnownToHold(me, "api.role_assignments.read");
  return (
    <Prefetched reads={seesHolders ? [rolesRead, holdersRead] : [rolesRead]}>
      <RoleScreen
        roleId={roleId}
        baseUrl={environment().gateway.baseUrl}
        seesHolders={seesHolders}
        canWrite={holdsInOrganization(me, "api.roles.write")}
      />
    </Prefetched>
  );
}
