import { Prefetched } from "@/app/queries/reads/prefetched";
import { signedInPerson } from "@/app/queries/session/session-data";
import { holdersRead } from "@/app/role-assignments/member-reads";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { GroupListScreen } from "./group-list-screen";
import { groupsRead } from "./group-reads";

export const metadata = { title: "Groups" };

export default async function GroupsPage() {
  await requireSession();
  const { support, me } = await signedInPerson();
  const seesHolders = holdsInOrganization(me, "api.role_assignments.read");
  return (
    <Page>
      {support === "specification" ? (
        <UnsupportedState level={1} operation="list groups">
          It has no operation for them. Ask whoever runs it who has access.
        </UnsupportedState>
      ) : (
        <Prefetched reads={seesHolders ? [groupsRead, holdersRead] : [groupsRead]}>
          <GroupListScreen
            seesHolders={seesHolders}
            canCreate={holdsInOrganization(me, "api.groups.write")}
          />
        </Prefetched>
      )}
    </Page>
  );
}
