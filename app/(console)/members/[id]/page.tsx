import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { environment } from "@/lib/console/environment";
import { requireSession } from "@/lib/console/session";
import type { Permission } from "@/lib/contract/permissions";
import { sessionData } from "../../session-data";
import { MemberScreen } from "../member-screen";
import { heldRoleReads, holderReads, oneMemberReads, roleReads } from "../reads-of-members";

export const metadata = { title: "Member" };

export default async function MemberPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const userId = decodeURIComponent((await params).id);
  const { offer, me, projects } = await sessionData();
  if (offer === "specification") {
    return (
      <Page>
        <UnsupportedState level={1} operation="show members">
          It has no operation for them. Whoever runs it knows who may use it.
        </UnsupportedState>
      </Page>
    );
  }
  const may = (permission: Permission) => me?.permissions.includes(permission) ?? true;
  const seesRoles = may("api.role_assignments.read");
  return (
    <Prefetched
      reads={[
        ...oneMemberReads(userId),
        ...(may("api.roles.read") ? roleReads : []),
        ...(seesRoles ? [...heldRoleReads(userId), ...holderReads] : []),
      ]}
    >
      <MemberScreen
        userId={userId}
        isOwn={me?.user?.id === userId}
        held={me && { permissions: me.permissions, project_permissions: me.project_permissions }}
        projects={projects ?? []}
        consoleOrigin={environment().consoleOrigin}
        seesRoles={seesRoles}
        canWrite={may("api.users.write")}
      />
    </Prefetched>
  );
}
