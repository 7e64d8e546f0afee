/**
 * Any one of these, held in a file's project, permits reading the bytes of its files: outputs of tasks, uploads and
 * batch results. The file's creator needs none of them.
 */
export const contentPermissions = [
  "api.request_bodies.read",
  "api.completions.write",
  "api.playground.write",
  "api.files.write",
] as const satisfies readonly Permission[];

/** All permissions that operations can require, each with the description beside its check box. */
export const permissionCatalogue = {
  "api.organization.write": "Rename the organization, as invitations and statements call it.",
  "api.projects.read": "See the organization's projects.",
  "api.projects.write": "Create, rename and archive projects. An archived project's keys stop at once.",
  "api.project_api_keys.read": "See a project's keys: their names and last four characters, never the keys.",
  "api.project_api_keys.write": "Create, rename, limit, extend, rotate and delete a project's keys.",
  "api.service_accounts.read": "See a project's service accounts.",
  "api.service_accounts.write": "Create, change and delete a project's service accounts and their keys.",
  "api.admin_api_keys.read": "See the organization's admin keys and their roles, never the keys.",
  "api.admin_api_keys.write": "Create and delete admin keys, with at most the permissions you hold.",
  "api.rate_limits.read": "See the rate limits of every project and model.",
  "api.rate_limits.write": "Change the rate limits of every project and model.",
  "api.model_permissions.read": "See which models each project may call.",
  "api.model_permissions.write": "Change which models each project may call.",
  "api.invites.read": "See who was invited into the organization, never the links.",
  "api.invites.write": "Invite people with at most the permissions you hold, and withdraw invitations.",
  "api.roles.read": "See roles and the permissions they hold.",
  "api.roles.write": "Create, change and delete roles.",
  "api.role_assignments.read":
    "See which roles members and groups hold, and why they may or may not do something.",
  "api.role_assignments.write": "Give roles to members and groups, and take them away.",
  "api.users.read": "See the organization's members.",
  "api.users.write":
    "Change and remove members, make links that set a new password, end sessions, turn off two-factor sign-in and unlink single sign-on.",
  "api.groups.read": "See groups and who is in them.",
  "api.groups.write": "Create, rename and delete groups, and decide who is in them.",
  "api.project_users.read": "See a project's members and their roles in it.",
  "api.project_users.write": "Add members to a project, change their role in it and remove them.",
  "api.project_groups.read": "See which groups are in a project.",
  "api.project_groups.write": "Add groups to a project and remove them.",
  "api.balance.read": "See the balance: what is available, held and posted.",
  "api.ledger.read": "See every ledger entry: payments, charges and corrections.",
  "api.payments.write":
    "Record payments into the balance, and approve payments and corrections that others recorded.",
  "api.corrections.write":
    "Take back payments and charges, or parts of them, by further ledger entries with a reason.",
  "api.payment_approval.write": "Set above which amount a payment waits for a second person.",
  "api.statements.write": "Close months: what the statement of a closed month says never changes.",
  "api.requests.read": "See every call: who made it, what became of it, why it was refused and what it cost.",
  "api.request_bodies.read":
    "Read the prompts and answers that a project keeps. The audit log says who read which.",
  "api.request_bodies.write":
    "Decide what a project keeps of its prompts and answers, for how long, and what is redacted.",
  "api.usage.read": "See what was used and what it cost: requests, tokens and charges over time.",
  "api.metrics.read":
    "Read the gateway's metrics at GET /metrics: the balance, and calls, tokens and charges of all projects.",
  "api.spend_limits.read": "See what the organization and its projects may spend in a month.",
  "api.spend_limits.write": "Change what the organization and its projects may spend in a month.",
  "api.spend_alerts.read": "See the alerts on what a month costs, and when they fired.",
  "api.spend_alerts.write": "Set, change and remove alerts on what a month costs.",
  "api.models.read": "See the models, their list prices and model rates.",
  "api.models.write": "Add models and change their list prices and model rates.",
  "api.providers.read": "See the providers that answer calls, never their keys.",
  "api.providers.write":
    "Add and remove providers and their keys, test connections, and close circuit breakers.",
  "api.audit_logs.read": "See who changed what, when and from where.",
  "api.completions.write": "Send prompts to models with a key, from a program, paid from the balance.",
  "api.playground.write": "Send prompts to models in the console's playground, paid from the balance.",
  "api.prompts.read": "See and run the prompts that are shared in a project, and your own.",
  "api.prompts.write":
    "Save prompts, and change and delete those that are shared in a project. A private one is its owner's alone.",
  "api.tasks.read":
    "See tasks of image, video and music models. Opening their files takes a further permission: to call models in the project, or to read what it keeps.",
  "api.tasks.write":
    "Cancel tasks, delete videos, send callbacks again, and see and replace the secret that signs them.",
  "api.files.read":
    "See the files that programs uploaded, and the results of batches. Downloading them takes a further permission: to call models in the project, or to read what it keeps.",
  "api.files.write": "Upload and delete files.",
  "api.batches.read": "See batches: how far they are, and what they used.",
  "api.batches.write": "Create batches, whose calls are paid from the balance, and cancel them.",
  "api.directory.write":
    "Keep members and groups over SCIM, as a directory does. It puts anybody into any group, and so gives whatever roles groups hold.",
} as const satisfies Record<`api.${string}.${"read" | "write"}`, string>;

export type Permission = keyof typeof permissionCatalogue;

export const permissions = Object.keys(permissionCatalogue) as Permission[];

/** The permissions that apply to a single project; a project's roles can have only these. */
export const projectPermissions: readonly Permission[] = [
  "api.projects.read",
  "api.projects.write",
  "api.project_api_keys.read",
  "api.project_api_keys.write",
  "api.service_accounts.read",
  "api.service_accounts.write",
  "api.rate_limits.read",
  "api.rate_limits.write",
  "api.model_permissions.read",
  "api.model_permissions.write",
  "api.spend_limits.read",
  "api.spend_limits.write",
  "api.spend_alerts.read",
  "api.spend_alerts.write",
  "api.requests.read",
  "api.request_bodies.read",
  "api.request_bodies.write",
  "api.usage.read",
  "api.roles.read",
  "api.roles.write",
  "api.role_assignments.read",
  "api.role_assignments.write",
  "api.project_users.read",
  "api.project_users.write",
  "api.project_groups.read",
  "api.project_groups.write",
  "api.models.read",
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
];

export function isPermission(text: string): text is Permission {
  return Object.hasOwn(permissionCatalogue, text);
}
