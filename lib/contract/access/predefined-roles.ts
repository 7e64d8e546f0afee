import { type Permission, permissions } from "./permissions";
import { predefinedRoleNames } from "./predefined-role-names";

export type ResourceType = "api.organization" | "api.project";

/** A built-in role. It can be copied, but neither changed nor deleted. */
export interface PredefinedRole {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly resourceType: ResourceType;
  readonly permissions: readonly Permission[];
}

/** Reading prompts and answers requires an explicit grant. */
const words: readonly Permission[] = ["api.request_bodies.read", "api.prompts.read"];
const reads = permissions.filter((name) => name.endsWith(".read") && !words.includes(name));
const billing: readonly Permission[] = [
  "api.payments.write",
  "api.corrections.write",
  "api.payment_approval.write",
  "api.statements.write",
];
/** Whoever decides who is in which group can make owners. */
const owners: readonly Permission[] = ["api.directory.write"];

export const ownerRole: PredefinedRole = {
  id: "role_owner",
  name: predefinedRoleNames.role_owner,
  description: "Everything, including owners and billing.",
  resourceType: "api.organization",
  permissions,
};

export const projectMemberRole: PredefinedRole = {
  id: "role_project_member",
  name: predefinedRoleNames.role_project_member,
  description: "Sends prompts and reads what the project may use.",
  resourceType: "api.project",
  permissions: [
    "api.completions.write",
    "api.playground.write",
    "api.prompts.read",
    "api.prompts.write",
    "api.tasks.read",
    "api.tasks.write",
    "api.files.read",
    "api.files.write",
    "api.batches.read",
    "api.batches.write",
    "api.projects.read",
    "api.models.read",
    "api.model_permissions.read",
    "api.rate_limits.read",
  ],
};

export const projectOwnerRole: PredefinedRole = {
  id: "role_project_owner",
  name: predefinedRoleNames.role_project_owner,
  description: "Runs one project: its members, roles, keys, service accounts, rate limits and prompts.",
  resourceType: "api.project",
  permissions: [
    ...projectMemberRole.permissions,
    "api.rate_limits.write",
    "api.requests.read",
    "api.usage.read",
    "api.project_api_keys.read",
    "api.project_api_keys.write",
    "api.service_accounts.read",
    "api.service_accounts.write",
    "api.roles.read",
    "api.roles.write",
    "api.role_assignments.read",
    "api.role_assignments.write",
    "api.project_users.read",
    "api.project_users.write",
    "api.project_groups.read",
    "api.project_groups.write",
  ],
};

/** Held by the tokens of a directory such as Okta or Entra, which call nothing but SCIM. */
export const directoryRole: PredefinedRole = {
  id: "role_directory",
  name: predefinedRoleNames.role_directory,
  description: "Manages members and groups over SCIM, for a directory’s token. Does nothing else.",
  resourceType: "api.organization",
  permissions: owners,
};

export const predefinedRoles: readonly PredefinedRole[] = [
  ownerRole,
  {
    id: "role_admin",
    name: predefinedRoleNames.role_admin,
    description: "Everything but owners and billing.",
    resourceType: "api.organization",
    permissions: permissions.filter((name) => !billing.includes(name) && !owners.includes(name)),
  },
  {
    id: "role_finance",
    name: predefinedRoleNames.role_finance,
    description:
      "Reads balance, ledger, calls, usage and model rates; records and corrects payments, closes months, sets spend limits and alerts.",
    resourceType: "api.organization",
    permissions: [
      "api.balance.read",
      "api.ledger.read",
      "api.payments.write",
      "api.corrections.write",
      "api.statements.write",
      "api.requests.read",
      "api.usage.read",
      "api.spend_limits.read",
      "api.spend_limits.write",
      "api.spend_alerts.read",
      "api.spend_alerts.write",
      "api.models.read",
      "api.projects.read",
    ],
  },
  {
    id: "role_prompt_tester",
    name: predefinedRoleNames.role_prompt_tester,
    description: "Tries prompts in the playground, saves and compares them, and sees their own usage.",
    resourceType: "api.organization",
    permissions: [
      "api.playground.write",
      "api.prompts.read",
      "api.prompts.write",
      "api.models.read",
      "api.projects.read",
    ],
  },
  {
    id: "role_reader",
    name: predefinedRoleNames.role_reader,
    description: "Sees everything except prompts, answers and files. Changes nothing.",
    resourceType: "api.organization",
    permissions: reads,
  },
  directoryRole,
  projectOwnerRole,
  projectMemberRole,
  {
    id: "role_project_viewer",
    name: predefinedRoleNames.role_project_viewer,
    description:
      "Sees one project's members, keys, service accounts, models, rate limits, calls, tasks and usage.",
    resourceType: "api.project",
    permissions: [
      "api.projects.read",
      "api.models.read",
      "api.model_permissions.read",
      "api.rate_limits.read",
      "api.requests.read",
      "api.tasks.read",
      "api.batches.read",
      "api.usage.read",
      "api.project_api_keys.read",
      "api.service_accounts.read",
      "api.roles.read",
      "api.role_assignments.read",
      "api.project_users.read",
      "api.project_groups.read",
    ],
  },
];
