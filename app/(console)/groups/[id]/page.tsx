import { RoleHolderPage } from "@/app/role-assignments/role-holder-page";
import { groupDetailReads, groupRoleReads } from "../group-reads";
import { GroupScreen } from "../group-screen";

export const metadata = { title: "Group" };

export default function GroupPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <RoleHolderPage
      params={params}
      noun="groups"
      detailReads={groupDetailReads}
      heldRoleReads={groupRoleReads}
    >
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
