import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { rolesRead } from "@/components/roles/member-reads";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import { adminKeysRead } from "./admin-key-reads";
import { AdminKeyScreen } from "./admin-key-screen";

export const metadata = { title: "Admin keys" };

export default function AdminKeysPage() {
  return (
    <OrganizationPage
      to="list or create admin keys"
      instead="It has no operation for them. Ask whoever runs it for a key."
    >
      {async () => {
        const { me } = await signedInPerson();
        const may = (permission: Permission) => holdsInOrganization(me, permission);
        return (
          <Prefetched reads={may("api.roles.read") ? [adminKeysRead, rolesRead] : [adminKeysRead]}>
            <AdminKeyScreen
              held={me && { permissions: me.permissions, project_permissions: me.project_permissions }}
              ownId={me?.kind === "admin_key" ? me.id : null}
              canWrite={may("api.admin_api_keys.write")}
            />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
