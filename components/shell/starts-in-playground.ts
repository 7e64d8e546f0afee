import type { Permission } from "@/lib/contract/permissions";
import type { HeldPermissions } from "./shell-data";

/** Any of these fills a part of the overview. */
const shownOnOverview: readonly Permission[] = [
  "api.balance.read",
  "api.ledger.read",
  "api.spend_alerts.read",
  "api.project_api_keys.read",
];

/** Whether somebody can try prompts and see nothing of what the overview shows, in the organization or in the project. */
export function startsInPlayground(held: HeldPermissions): boolean {
  const may = (permission: Permission) =>
    [held.organization, held.project].some((all) => all.includes(permission));
  return may("api.playground.write") && !shownOnOverview.some(may);
}
