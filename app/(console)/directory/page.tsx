import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { holdersRead } from "@/components/roles/member-reads";
import { environment } from "@/lib/console/environment";
import { holdsAnywhere, holdsInOrganization } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import { groupsRead, orphanedKeysRead, tokensRead } from "./directory-reads";
import { DirectoryScreen } from "./directory-screen";

export const metadata = { title: "Directory" };

export default function DirectoryPage() {
  return (
    <OrganizationPage to="connect a directory" instead="It has no SCIM. Members are invited one by one.">
      {async () => {
        const { me } = await signedInPerson();
        const may = (permission: Permission) => holdsInOrganization(me, permission);
        const sees = {
          groups: may("api.groups.read"),
          holders: may("api.role_assignments.read"),
          keys: holdsAnywhere(me, "api.project_api_keys.read"),
        };
        const reads = [
          tokensRead,
          ...(sees.groups ? [groupsRead] : []),
          ...(sees.groups && sees.holders ? [holdersRead] : []),
          ...(sees.keys ? [orphanedKeysRead] : []),
        ];
        const address = environment().gateway.baseUrl.replace(/\/v1\/?$/, "/scim/v2");
        return (
          <Prefetched reads={reads}>
            <DirectoryScreen
              address={address}
              sees={sees}
              canConnect={may("api.admin_api_keys.write") && may("api.directory.write")}
              canDecide={holdsAnywhere(me, "api.project_api_keys.write")}
            />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
