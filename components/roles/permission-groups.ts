import type { CheckboxOptionGroup } from "@/components/ui/fields/choose-options";
import {
  isPermission,
  type Permission,
  permissionCatalogue,
  permissions,
} from "@/lib/contract/access/permissions";

/** What people call the resources, by their sections. The names of the API are between the dots of a permission. */
const catalogue: readonly (readonly [heading: string, resources: Readonly<Record<string, string>>])[] = [
  ["Playground, prompts", { playground: "Playground", prompts: "Saved prompts" }],
  [
    "Calls",
    { completions: "Calls by keys", requests: "Requests", request_bodies: "Kept prompts and answers" },
  ],
  ["Tasks, batches, files", { tasks: "Tasks", files: "Files", batches: "Batches" }],
  ["Usage and metrics", { usage: "Usage", metrics: "Metrics" }],
  ["Projects", { projects: "Projects", project_users: "Project members", project_groups: "Project groups" }],
  [
    "Keys",
    { project_api_keys: "Project keys", service_accounts: "Service accounts", admin_api_keys: "Admin keys" },
  ],
  ["People", { users: "Members", invites: "Invitations", groups: "Groups", directory: "Directory" }],
  ["Roles", { roles: "Roles", role_assignments: "Role assignments" }],
  [
    "Models, providers",
    { models: "Models and rates", model_permissions: "Allowed models", providers: "Providers" },
  ],
  ["Rate limits", { rate_limits: "Rate limits" }],
  ["Spend limits", { spend_limits: "Spend limits", spend_alerts: "Spend alerts" }],
  [
    "Billing",
    {
      balance: "Balance",
      ledger: "Ledger",
      payments: "Payments",
      corrections: "Corrections",
      payment_approval: "Payment approval",
      statements: "Statements",
    },
  ],
  ["Organization", { organization: "Organization" }],
  ["Audit log", { audit_logs: "Audit log" }],
];

/** The sections after which the list of contents has a gap. */
const lastOfTheirKind: readonly string[] = ["Usage and metrics", "Roles"];

const UNKNOWN = "Not known to this console";

export interface PermissionLine {
  readonly name: string;
  /** What it lets its holder do. */
  readonly sentence: string;
}

/** What a read and a write permission are about. */
export interface PermissionResource {
  readonly heading: string;
  readonly lines: readonly PermissionLine[];
}

export interface PermissionSection {
  readonly heading: string;
  readonly resources: readonly PermissionResource[];
  readonly endsGroup: boolean;
}

/** Sorts permissions into sections and resources. Those unknown to this console come last, by name only. */
export function listSections(names: readonly string[]): PermissionSection[] {
  const describe = (name: string) => ({ name, sentence: describePermission(name) });
  const linesOf = (resource: string) =>
    ["read", "write"].map((right) => `api.${resource}.${right}`).filter((name) => names.includes(name));
  const known = catalogue.map(([heading, resources]) => ({
    heading,
    endsGroup: lastOfTheirKind.includes(heading),
    resources: Object.entries(resources)
      .map(([resource, words]) => ({ heading: words, lines: linesOf(resource).map(describe) }))
      .filter(({ lines }) => lines.length > 0),
  }));
  const unknown = [...new Set(names.filter((name) => !isPermission(name)))].map(describe);
  const others = { heading: UNKNOWN, endsGroup: false, resources: [{ heading: UNKNOWN, lines: unknown }] };
  return [...known, ...(unknown.length > 0 ? [others] : [])].filter(({ resources }) => resources.length > 0);
}

export const listNames = ({ resources }: Pick<PermissionSection, "resources">): string[] =>
  resources.flatMap(({ lines }) => lines.map(({ name }) => name));

/** The heading of a permission's section: "Keys". */
export function findSection(name: string): string {
  const resource = name.split(".")[1] ?? "";
  return catalogue.find(([, resources]) => Object.hasOwn(resources, resource))?.[0] ?? UNKNOWN;
}

/** The sections with their permissions in one list each. */
export function groupPermissions(names: readonly string[]): CheckboxOptionGroup[] {
  return listSections(names).map(({ heading, resources }) => ({
    heading,
    options: resources.flatMap(({ lines }) => lines.map(({ name, sentence }) => ({ value: name, sentence }))),
  }));
}

/** All permissions with their sentences. */
export const permissionGroups = groupPermissions(permissions);

/** What a permission lets its holder do, as a sentence. */
export function describePermission(name: string): string {
  return isPermission(name) ? permissionCatalogue[name as Permission] : "Granted by the gateway.";
}
