import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { signedInPerson } from "@/components/queries/session/session-data";
import { holdersRead } from "@/components/roles/member-reads";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { GroupListScreen } from "./group-list-screen";
import { groupsRead } from "./group-reads";

export const metadata = { title: "Groups" };

export default function GroupsPage() {
  return (
    <OrganizationPage
      to="list groups"
      instead="It has no operation for them. Ask whoever runs it who has access."
    >
      {async () => {
        const { me } = await signedInPerson();
        const seesHolders = holdsInOrganization(me, "api.role_assignments.read");
        return (
          <Prefetched reads={seesHolders ? [groupsRead, holdersRead] : [groupsRead]}>
            <GroupListScreen
              seesHolders={seesHolders}
              canCreate={holdsInOrganization(me, "api.groups.write")}
            />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
