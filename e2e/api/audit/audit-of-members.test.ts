import { expect, test } from "bun:test";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { serveStaffedGateway } from "../../support/gateways/serve-staffed-gateway";

test("adding and removing members and groups is logged under OpenAI's event types", async () => {
  const { gateway, client, members, projectId, groupId } = await serveStaffedGateway();
  const { users, projects } = client.admin.organization;
  const { id } = members.ada;
  await projects.users.create(projectId, { user_id: id, role: "member" });
  await projects.users.update(id, { project_id: projectId, role: "owner" });
  await projects.users.delete(id, { project_id: projectId });
  await projects.groups.create(projectId, { group_id: groupId, role: "member" });
  await projects.groups.delete(groupId, { project_id: projectId });
  await users.update(id, { role: "reader" });
  await users.delete(id);
  const { data } = await gateway.admin<{ data: AuditLog[] }>("GET", "/organization/audit_logs?limit=7");
  const group = {
    id: "role_project_member",
    principal_id: groupId,
    principal_type: "group",
    resource_id: projectId,
    resource_type: "api.project",
  };
  expect(data.map((event) => [event.project?.id, event.type, event[event.type]]).toReversed()).toEqual([
    [projectId, "user.added", { id, data: { role: "member" } }],
    [projectId, "user.updated", { id, changes_requested: { role: "owner" } }],
    [projectId, "user.deleted", { id }],
    [projectId, "role.assignment.created", group],
    [projectId, "role.assignment.deleted", group],
    [undefined, "user.updated", { id, changes_requested: { role: "reader" } }],
    [undefined, "user.deleted", { id }],
  ]);
  await gateway.close();
});
