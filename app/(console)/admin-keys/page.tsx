import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { rolesRead } from "@/app/role-assignments/member-reads";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/access/permissions";
import { adminKeysRead } from "./admin-key-reads";
import { AdminKeyScreen } from "./admin-key-screen";

export const metadata = { title: "Admin keys" };

export default async function AdminKeysPage() {
  await requireSession();
  const { support, me } = await signedInPerson();
  const may = (permission: Permission) => holdsInOrganization(me, permission);
  return (
    <Page>
      {support === "specification" ? (
        <UnsupportedState level={1} operation="list or create admin keys">
          It has no operation for them. Ask whoever runs it for a key.
        </UnsupportedState>
      ) : (
        <Prefetched reads={may("api.roles.read") ? [adminKeysRead, rolesRead] : [adminKeysRead]}>
          <AdminKeyScreen
            held={me && { permissions: me.permissions, project_permissions: me.project_permissions }}
            ownId={me?.kind === "admin_key" ? me.id : null}
            canWrite={may("api.admin_api_keys.write")}
          />
        </Prefetched>
      )}
    </Page>
  );
}
