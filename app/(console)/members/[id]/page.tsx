import { heldRolesRead, memberReads } from "@/components/roles/member-reads";
import { RoleHolderPage } from "@/components/roles/role-holder-page";
import { environment } from "@/lib/console/environment";
import { MemberScreen } from "../member-screen";

export const metadata = { title: "Member" };

export default function MemberPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <RoleHolderPage params={params} noun="members" detailReads={memberReads} heldRolesRead={heldRolesRead}>
      {({ id, session, may, held, projects, seesRoles }) => (
        <MemberScreen
          userId={id}
          isOwn={session.me?.user?.id === id}
          {...{ held, projects, seesRoles }}
          consoleOrigin={environment().consoleOrigin}
          canWrite={may("api.users.write")}
        />
      )}
    </RoleHolderPage>
  );
}
