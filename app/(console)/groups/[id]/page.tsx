import { UnsupportedState } from "@/components/ui/unsupported-state";
import { holderReads, roleReads } from "../../members/reads-of-members";
import { knownOf, ObjectPage } from "../../object-page";
import { GroupScreen } from "../group-screen";
import { groupRoleReads, oneGroupReads } from "../reads-of-groups";

export const metadata = { title: "Group" };

export default function GroupPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <ObjectPage
      params={params}
      unsupported={
        <UnsupportedState level={1} operation="show groups">
          It has no operation for them. Whoever runs it knows who may use it.
        </UnsupportedState>
      }
    >
      {({ id, session, may }) => {
        const seesRoles = may("api.role_assignments.read");
        return {
          reads: [
            ...oneGroupReads(id),
            ...(may("api.roles.read") ? roleReads : []),
            ...(seesRoles ? [...groupRoleReads(id), ...holderReads] : []),
          ],
          screen: (
            <GroupScreen
              groupId={id}
              {...knownOf(session)}
              seesRoles={seesRoles}
              seesMembers={may("api.users.read")}
              canWrite={may("api.groups.write")}
            />
          ),
        };
      }}
    </ObjectPage>
  );
}
