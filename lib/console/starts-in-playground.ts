import type { Permission } from "@/lib/contract/permissions";

// Safe for the browser: no imports but types.

/** Any of these fills a part of the overview. */
const shownOnOverview: readonly Permission[] = [
  "api.balance.read",
  "api.ledger.read",
  "api.spend_alerts.read",
  "api.project_api_keys.read",
];

/** Whether somebody can try prompts and see nothing of what the overview shows, in the organization or in the project. */
export function startsInPlayground(held: {
  readonly organization: readonly string[];
  readonly project: readonly string[];
}): boolean {
  const may = (permission: Permission) =>
    [held.organization, held.project].some((all) => all.includes(permission));
  return may("api.playground.write") && !shownOnOverview.some(may);
}
