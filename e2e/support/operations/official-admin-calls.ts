import { expect } from "bun:test";
import { HOUR_S } from "@/lib/contract/durations";
import {
  alert,
  at,
  expectListWith,
  gone,
  id,
  limitShape,
  type OfficialCalls,
  type Organization,
  rememberCreated,
  type Scene,
  spending,
} from "./official-call";

/** A month without any calls. */
const query = {
  start_time: 1_700_000_000,
  end_time: 1_700_086_400,
  bucket_width: "1d" as const,
  limit: 1,
};
/**
 * All SDK methods of the organization's resources, in an order in which each has an object. The member is removed last.
 */
export function organizationCalls({ organization, userId, groupId, projectId }: Scene): OfficialCalls {
  const { keep, made } = rememberCreated();
  const { adminAPIKeys, invites, spendAlerts, spendLimit, auditLogs } = organization;
  const key = { object: "organization.admin_api_key", id, created_at: at, redacted_value: id };
  const invite = { object: "organization.invite", id, email: "new@example.com", role: "reader" };
  const spendAlert = { object: "organization.spend_alert", id, threshold_amount: 500 };
  const limit = { object: "organization.spend_limit", ...limitShape };
  const inviting = {
    email: "new@example.com",
    role: "reader" as const,
    projects: [{ id: projectId, role: "member" as const }],
  };
  return {
    "adminAPIKeys.create": [
      () => keep("key", adminAPIKeys.create({ name: "Key", expires_in_seconds: HOUR_S })),
      { ...key, value: id },
    ],
    "adminAPIKeys.retrieve": [() => adminAPIKeys.retrieve(made("key")), key],
    "adminAPIKeys.list": [() => adminAPIKeys.list({ limit: 5, order: "asc" }), expectListWith(key)],
    "adminAPIKeys.delete": [() => adminAPIKeys.delete(made("key")), gone],
    "invites.create": [() => keep("invite", invites.create(inviting)), invite],
    "invites.retrieve": [() => invites.retrieve(made("invite")), invite],
    "invites.list": [() => invites.list({ limit: 5 }), expectListWith(invite)],
    "invites.delete": [() => invites.delete(made("invite")), gone],
    "spendAlerts.create": [() => keep("alert", spendAlerts.create(alert)), spendAlert],
    "spendAlerts.retrieve": [() => spendAlerts.retrieve(made("alert")), spendAlert],
    "spendAlerts.update": [() => spendAlerts.update(made("alert"), alert), spendAlert],
    "spendAlerts.list": [() => spendAlerts.list({ limit: 5, order: "desc" }), expectListWith(spendAlert)],
    "spendAlerts.delete": [() => spendAlerts.delete(made("alert")), gone],
    "spendLimit.update": [() => spendLimit.update({ ...spending, threshold_amount: 500_000 }), limit],
    "spendLimit.retrieve": [() => spendLimit.retrieve(), limit],
    "spendLimit.delete": [() => spendLimit.delete(), { deleted: true }],
    "auditLogs.list": [
      () => auditLogs.list({ limit: 5, event_types: ["invite.sent"], effective_at: { gte: 0 } }),
      expectListWith({ id, type: "invite.sent", effective_at: at, actor: expect.anything() }),
    ],
    ...usageCalls(organization),
    ...peopleCalls(organization, { userId, groupId }),
  };
}

function usageCalls({ usage }: Organization): OfficialCalls {
  const page = { object: "page", data: [{ object: "bucket", start_time: at, end_time: at, results: [] }] };
  return {
    "usage.completions": [
      () => usage.completions({ ...query, batch: false, group_by: ["model"], models: ["sandbox-echo"] }),
      page,
    ],
    "usage.images": [() => usage.images({ ...query, group_by: ["model"] }), page],
    "usage.audioSpeeches": [() => usage.audioSpeeches({ ...query, group_by: ["project_id"] }), page],
    "usage.audioTranscriptions": [() => usage.audioTranscriptions({ ...query, models: ["m"] }), page],
    "usage.embeddings": [() => usage.embeddings({ ...query, group_by: ["model"] }), page],
    "usage.moderations": [() => usage.moderations({ ...query, group_by: ["model"] }), page],
    "usage.costs": [() => usage.costs({ ...query, group_by: ["project_id", "line_item"] }), page],
  };
}

/** Methods of members, groups and their roles in the organization. */
function peopleCalls(
  { users, groups, roles }: Organization,
  { userId, groupId }: { userId: string; groupId: string },
): OfficialCalls {
  const { keep, made } = rememberCreated();
  const role = { object: "role", id, name: "Readers", permissions: ["api.roles.read"] };
  const member = { object: "organization.user", id: userId, added_at: at };
  const held = { id, name: "Readers", permissions: ["api.roles.read"] };
  const group = { id, name: expect.stringContaining("Crew"), created_at: at };
  const inGroup = { group_id: groupId };
  return {
    "roles.create": [
      () => keep("role", roles.create({ role_name: "Readers", permissions: role.permissions })),
      role,
    ],
    "roles.retrieve": [() => roles.retrieve(made("role")), role],
    "roles.update": [() => roles.update(made("role"), { description: "Reads" }), role],
    "roles.list": [() => roles.list({ limit: 50, order: "asc" }), expectListWith(role)],
    "users.retrieve": [() => users.retrieve(userId), member],
    "users.update": [() => users.update(userId, { role: "reader" }), { ...member, role: "reader" }],
    "users.list": [() => users.list({ limit: 5, emails: ["ada@example.com"] }), expectListWith(member)],
    "users.roles.create": [() => users.roles.create(userId, { role_id: made("role") }), {}],
    "users.roles.retrieve": [() => users.roles.retrieve(made("role"), { user_id: userId }), held],
    "users.roles.list": [() => users.roles.list(userId, { limit: 5, order: "asc" }), expectListWith(held)],
    "users.roles.delete": [
      () => users.roles.delete(made("role"), { user_id: userId }),
      { object: "user.role.deleted", deleted: true },
    ],
    "groups.create": [() => keep("group", groups.create({ name: "Crew" })), group],
    "groups.retrieve": [() => groups.retrieve(made("group")), group],
    "groups.update": [() => groups.update(made("group"), { name: "Crews" }), { id, name: "Crews" }],
    "groups.list": [() => groups.list({ limit: 5, order: "asc" }), expectListWith(group)],
    "groups.delete": [() => groups.delete(made("group")), gone],
    "groups.users.create": [
      () => groups.users.create(groupId, { user_id: userId }),
      { object: "group.user", user_id: userId, group_id: groupId },
    ],
    "groups.users.retrieve": [() => groups.users.retrieve(userId, inGroup), { id: userId }],
    "groups.users.list": [() => groups.users.list(groupId, { limit: 5 }), expectListWith({ id: userId })],
    "groups.users.delete": [() => groups.users.delete(userId, inGroup), { deleted: true }],
    "groups.roles.create": [() => groups.roles.create(groupId, { role_id: made("role") }), {}],
    "groups.roles.retrieve": [() => groups.roles.retrieve(made("role"), inGroup), held],
    "groups.roles.list": [() => groups.roles.list(groupId, { limit: 5, order: "asc" }), expectListWith(held)],
    "groups.roles.delete": [
      () => groups.roles.delete(made("role"), inGroup),
      { object: "group.role.deleted", deleted: true },
    ],
    "roles.delete": [() => roles.delete(made("role")), gone],
    "users.delete": [() => users.delete(userId), { object: "organization.user.deleted", ...gone }],
  };
}
