import type { CheckboxOptionGroup } from "@/components/ui/fields/choose-options";
import { capitalize } from "@/components/ui/text/capitalize";
import {
  isPermission,
  type Permission,
  permissionCatalogue,
  permissions,
} from "@/lib/contract/access/permissions";

/** Headings that combine related resources, or that can't be derived from the resource's name. */
const headings: Readonly<Record<string, string>> = {
  project_api_keys: "Keys",
  admin_api_keys: "Admin keys",
  balance: "Balance and payments",
  ledger: "Balance and payments",
  payments: "Balance and payments",
  spend_limits: "Spend limits and alerts",
  spend_alerts: "Spend limits and alerts",
  completions: "Prompts",
  playground: "Prompts",
};

/** All permissions with their sentences, grouped by resource, in the order of the catalogue. */
export const permissionGroups = groupPermissions(permissions);

/** Groups the given permissions. Those unknown to this console come last, by name only. */
export function groupPermissions(held: readonly string[]): CheckboxOptionGroup[] {
  const groups = new Map<string, { value: string; sentence: string }[]>();
  for (const name of inOrder(held)) {
    const heading = writeHeading(name);
    const group = groups.get(heading) ?? [];
    group.push({ value: name, sentence: describePermission(name) });
    groups.set(heading, group);
  }
  return [...groups].map(([heading, options]) => ({ heading, options }));
}

function inOrder(held: readonly string[]): string[] {
  return [
    ...permissions.filter((name) => held.includes(name)),
    ...held.filter((name) => !isPermission(name)),
  ];
}

function writeHeading(name: string): string {
  if (!isPermission(name)) return "Not known to this console";
  const resource = name.split(".")[1] ?? "";
  const words = resource.replaceAll("_", " ");
  return headings[resource] ?? capitalize(words);
}

/** What a permission lets its holder do, as a sentence. */
export function describePermission(name: string): string {
  return isPermission(name) ? permissionCatalogue[name as Permission] : "Granted by the gateway.";
}
