import { RoleHolderPage } from "@/components/roles/role-holder-page";
import { groupReads, groupRolesRead } from "../group-reads";
import { GroupScreen } from "../group-screen";

export const metadata = { title: "Group" };

export default function GroupPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <RoleHolderPage params={params} noun="groups" detailReads={groupReads} heldRolesRead={groupRolesRead}>
      {({ id, may, held, projects, seesRoles }) => (
        <GroupScreen
          groupId={id}
          {...{ held, projects, seesRoles }}
          seesMembers={may("api.users.read")}
          canWrite={may("api.groups.write")}
        />
      )}
    </RoleHolderPage>
  );
}
