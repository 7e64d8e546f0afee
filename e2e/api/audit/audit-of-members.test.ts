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

test("what an event of OpenAI's types doesn't have is left out of it, never null", async () => {
  const { gateway, client, members, projectId } = await serveStaffedGateway();
  const { users, roles } = client.admin.organization;
  const permissions = ["api.roles.read"];
  const role = await roles.create({ role_name: "Plain", permissions, description: "One" });
  await roles.update(role.id, { description: null });
  await users.roles.create(members.ada.id, { role_id: role.id });
  await users.roles.delete(role.id, { user_id: members.ada.id });
  await gateway.admin("POST", `/organization/projects/${projectId}/api_keys`, { name: "Plain" });
  const { data } = await gateway.admin<{ data: AuditLog[] }>("GET", "/organization/audit_logs?limit=5");
  const details = data.map((event) => event[event.type]);
  expect(details.toReversed().slice(1, 4)).toEqual([
    { id: role.id, changes_requested: { permissions_added: [], permissions_removed: [] } },
    ...["created", "deleted"].map(() => ({
      id: role.id,
      principal_id: members.ada.id,
      principal_type: "user",
      resource_type: "api.organization",
    })),
  ]);
  expect(JSON.stringify(details)).not.toContain("null");
  await gateway.close();
});
