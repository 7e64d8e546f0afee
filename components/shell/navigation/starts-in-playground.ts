import type { Permission } from "@/lib/contract/permissions";
import type { ShellPermissions } from "../shell-data";

/** Each of these permissions fills a part of the overview. */
const shownOnOverview: readonly Permission[] = [
  "api.balance.read",
  "api.ledger.read",
  "api.spend_alerts.read",
  "api.project_api_keys.read",
];

/** Returns true if the person can use the playground but see nothing on the overview. */
export function startsInPlayground(heldPermissions: ShellPermissions): boolean {
  const may = (permission: Permission) =>
    [heldPermissions.organization, heldPermissions.project].some((all) => all.includes(permission));
  return may("api.playground.write") && !shownOnOverview.some(may);
}
