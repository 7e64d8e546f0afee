import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/session";
import type { Permission } from "@/lib/contract/permissions";
import { holderReads, roleReads } from "../../members/reads-of-members";
import { sessionData } from "../../session-data";
import { GroupScreen } from "../group-screen";
import { groupRoleReads, oneGroupReads } from "../reads-of-groups";

export const metadata = { title: "Group" };

export default async function GroupPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const groupId = decodeURIComponent((await params).id);
  const { offer, me, projects } = await sessionData();
  if (offer === "specification") {
    return (
      <Page>
        <UnsupportedState level={1} operation="show groups">
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
        ...oneGroupReads(groupId),
        ...(may("api.roles.read") ? roleReads : []),
        ...(seesRoles ? [...groupRoleReads(groupId), ...holderReads] : []),
      ]}
    >
      <GroupScreen
        groupId={groupId}
        held={me && { permissions: me.permissions, project_permissions: me.project_permissions }}
        projects={projects ?? []}
        seesRoles={seesRoles}
        seesMembers={may("api.users.read")}
        canWrite={may("api.groups.write")}
      />
    </Prefetched>
  );
}
