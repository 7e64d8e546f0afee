import { Plus } from "lucide-react";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { holdersRead, rolesRead } from "@/components/roles/member-reads";
import { LinkButton } from "@/components/ui/links/link-button";
import { Page, PageHead } from "@/components/ui/page";
import { environment } from "@/lib/console/environment";
import { paths } from "@/lib/console/paths";
import { holdsInOrganization, isKnownToHold } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { LazyNewRoleScreen } from "./lazy-new-role-screen";
import { RoleList } from "./role-list";

export const metadata = { title: "Roles" };

export default async function RolesPage() {
  await requireSession();
  const { support, me } = await signedInPerson();
  if (support === "specification")
    return <LazyNewRoleScreen support={support} baseUrl={environment().gateway.baseUrl} />;
  const canWrite = holdsInOrganization(me, "api.roles.write");
  const seesHolders = isKnownToHold(me, "api.role_assignments.read");
  return (
    <Page>
      <PageHead
        title="Roles"
        sentence="A role is a set of permissions with a name. Members, groups and admin keys hold roles. The gateway refuses what no role allows."
        action={
          <>
            {seesHolders && <LinkButton href={paths.whoCan()}>Who can…?</LinkButton>}
            <LinkButton href={paths.compareRoles()}>Compare</LinkButton>
            {canWrite && (
              <LinkButton variant="primary" href={paths.newRole()}>
                <Plus aria-hidden />
                Create role
              </LinkButton>
            )}
          </>
        }
      />
      <Prefetched reads={seesHolders ? [rolesRead, holdersRead] : [rolesRead]}>
        <RoleList />
      </Prefetched>
    </Page>
  );
}
