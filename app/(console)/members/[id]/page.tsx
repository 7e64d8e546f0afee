import { environment } from "@/lib/console/environment";
import { heldRoleReads, memberDetailReads } from "../member-reads";
import { MemberScreen } from "../member-screen";
import { RoleHolderPage } from "../role-holder-page";

export const metadata = { title: "Member" };

export default function MemberPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <RoleHolderPage
      params={params}
      noun="members"
      detailReads={memberDetailReads}
      heldRoleReads={heldRoleReads}
    >
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
