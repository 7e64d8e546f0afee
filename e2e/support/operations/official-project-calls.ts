import {
  alert,
  at,
  expectListWith,
  gone,
  id,
  limitShape,
  type OfficialCalls,
  rememberCreated,
  type Scene,
  spending,
} from "./official-call";

/** All SDK methods of a project's resources, in an order in which each has an object. The project is archived last. */
export function projectCalls(scene: Scene): OfficialCalls {
  const { projects } = scene.organization;
  const { keep, made } = rememberCreated();
  const project = { object: "organization.project", id, name: "Calls", status: "active", created_at: at };
  return {
    "projects.create": [() => keep("project", projects.create({ name: "Calls", geography: null })), project],
    "projects.retrieve": [() => projects.retrieve(made("project")), project],
    "projects.update": [() => projects.update(made("project"), { name: "Calls" }), project],
    "projects.list": [() => projects.list({ limit: 5, include_archived: true }), expectListWith(project)],
    ...limitCalls(scene),
    ...keyCalls(scene),
    ...memberCalls(scene),
    "projects.archive": [() => projects.archive(made("project")), { ...project, status: "archived" }],
  };
}

function limitCalls({ organization: { projects }, projectId }: Scene): OfficialCalls {
  const { keep, made } = rememberCreated();
  const { rateLimits, modelPermissions, spendLimit, spendAlerts } = projects;
  const place = { project_id: projectId };
  const rateLimit = { object: "project.rate_limit", id: "rl_sandbox-echo", model: "sandbox-echo" };
  const allowed = { mode: "allow_list" as const, model_ids: ["sandbox-echo"] };
  const permission = { object: "project.model_permissions", ...allowed };
  const limit = { object: "project.spend_limit", ...limitShape };
  const spendAlert = { object: "project.spend_alert", id, threshold_amount: 500 };
  return {
    "projects.rateLimits.listRateLimits": [
      () => rateLimits.listRateLimits(projectId, { limit: 50 }),
      expectListWith(rateLimit),
    ],
    "projects.rateLimits.updateRateLimit": [
      () => rateLimits.updateRateLimit(rateLimit.id, { ...place, max_requests_per_1_minute: 5 }),
      { ...rateLimit, max_requests_per_1_minute: 5 },
    ],
    "projects.modelPermissions.update": [() => modelPermissions.update(projectId, allowed), permission],
    "projects.modelPermissions.retrieve": [() => modelPermissions.retrieve(projectId), permission],
    "projects.modelPermissions.delete": [() => modelPermissions.delete(projectId), { deleted: true }],
    "projects.spendLimit.update": [
      () => spendLimit.update(projectId, { ...spending, threshold_amount: 500_000 }),
      limit,
    ],
    "projects.spendLimit.retrieve": [() => spendLimit.retrieve(projectId), limit],
    "projects.spendLimit.delete": [() => spendLimit.delete(projectId), { deleted: true }],
    "projects.spendAlerts.create": [() => keep("alert", spendAlerts.create(projectId, alert)), spendAlert],
    "projects.spendAlerts.retrieve": [() => spendAlerts.retrieve(made("alert"), place), spendAlert],
    "projects.spendAlerts.update": [
      () => spendAlerts.update(made("alert"), { ...place, ...alert }),
      spendAlert,
    ],
    "projects.spendAlerts.list": [
      () => spendAlerts.list(projectId, { limit: 5 }),
      expectListWith(spendAlert),
    ],
    "projects.spendAlerts.delete": [() => spendAlerts.delete(made("alert"), place), gone],
  };
}

function keyCalls({ organization: { projects }, projectId }: Scene): OfficialCalls {
  const { keep, made } = rememberCreated();
  const { serviceAccounts, apiKeys } = projects;
  const place = { project_id: projectId };
  const account = { object: "organization.project.service_account", id, role: "member", created_at: at };
  const key = {
    object: "organization.project.api_key",
    id,
    redacted_value: id,
    owner_project_access: "active",
  };
  return {
    "projects.serviceAccounts.create": [
      () => keep("account", serviceAccounts.create(projectId, { name: "Robot", expires_in_seconds: 60 })),
      { ...account, api_key: { value: id, expires_at: at } },
    ],
    "projects.serviceAccounts.retrieve": [() => serviceAccounts.retrieve(made("account"), place), account],
    "projects.serviceAccounts.update": [
      () => serviceAccounts.update(made("account"), { ...place, name: "Robots", role: "member" }),
      { ...account, name: "Robots" },
    ],
    "projects.serviceAccounts.list": [
      () => serviceAccounts.list(projectId, { limit: 5 }),
      expectListWith(account),
    ],
    "projects.serviceAccounts.apiKeys.create": [
      () => keep("key", serviceAccounts.apiKeys.create(made("account"), { ...place, name: "Night" })),
      { object: "organization.project.service_account.api_key", id, name: "Night", value: id },
    ],
    "projects.apiKeys.retrieve": [() => apiKeys.retrieve(made("key"), place), key],
    "projects.apiKeys.update": [
      () => apiKeys.update(made("key"), { ...place, expires_in_seconds: 60 }),
      { ...key, expires_at: at },
    ],
    "projects.apiKeys.list": [
      () => apiKeys.list(projectId, { limit: 5, owner_project_access: "any" }),
      expectListWith(key),
    ],
    "projects.apiKeys.delete": [() => apiKeys.delete(made("key"), place), gone],
    "projects.serviceAccounts.delete": [() => serviceAccounts.delete(made("account"), place), gone],
  };
}

/** Methods of the project's members and groups, and of their roles in it. */
function memberCalls({ organization: { projects }, projectId, userId, groupId }: Scene): OfficialCalls {
  const { keep, made } = rememberCreated();
  const { users, groups, roles } = projects;
  const place = { project_id: projectId };
  const permissions = ["api.models.read"];
  const role = { object: "role", id, name: "Local", permissions };
  const held = { id, name: "Local", permissions };
  const projectUser = { object: "organization.project.user", id: userId, role: "member", added_at: at };
  const group = { object: "project.group", project_id: projectId, group_id: groupId };
  const [byUser, byGroup] = [
    { ...place, user_id: userId },
    { ...place, group_id: groupId },
  ];
  return {
    "projects.roles.create": [
      () => keep("role", roles.create(projectId, { role_name: "Local", permissions, description: "Here" })),
      role,
    ],
    "projects.roles.retrieve": [() => roles.retrieve(made("role"), place), role],
    "projects.roles.update": [() => roles.update(made("role"), { ...place, permissions }), role],
    "projects.roles.list": [() => roles.list(projectId, { limit: 50, order: "asc" }), expectListWith(role)],
    "projects.users.create": [
      () => users.create(projectId, { user_id: userId, role: "member" }),
      projectUser,
    ],
    "projects.users.retrieve": [() => users.retrieve(userId, place), projectUser],
    "projects.users.update": [() => users.update(userId, { ...place, role: "member" }), projectUser],
    "projects.users.list": [() => users.list(projectId, { limit: 5 }), expectListWith(projectUser)],
    "projects.users.roles.create": [
      () => users.roles.create(userId, { ...place, role_id: made("role") }),
      { object: "user.role" },
    ],
    "projects.users.roles.retrieve": [() => users.roles.retrieve(made("role"), byUser), held],
    "projects.users.roles.list": [
      () => users.roles.list(userId, { ...place, limit: 5 }),
      expectListWith(held),
    ],
    "projects.users.roles.delete": [() => users.roles.delete(made("role"), byUser), { deleted: true }],
    "projects.users.delete": [() => users.delete(userId, place), gone],
    "projects.groups.create": [() => groups.create(projectId, { group_id: groupId, role: "member" }), group],
    "projects.groups.retrieve": [() => groups.retrieve(groupId, place), group],
    "projects.groups.list": [() => groups.list(projectId, { limit: 5, order: "asc" }), expectListWith(group)],
    "projects.groups.roles.create": [
      () => groups.roles.create(groupId, { ...place, role_id: made("role") }),
      { object: "group.role" },
    ],
    "projects.groups.roles.retrieve": [() => groups.roles.retrieve(made("role"), byGroup), held],
    "projects.groups.roles.list": [
      () => groups.roles.list(groupId, { ...place, limit: 5 }),
      expectListWith(held),
    ],
    "projects.groups.roles.delete": [() => groups.roles.delete(made("role"), byGroup), { deleted: true }],
    "projects.groups.delete": [() => groups.delete(groupId, place), { deleted: true }],
    "projects.roles.delete": [() => roles.delete(made("role"), place), gone],
  };
}
