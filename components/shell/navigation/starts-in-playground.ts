import type { Permission } from "@/lib/contract/access/permissions";
import type { ShellPermissions } from "../shell-data";

/** Who holds one of these looks after money or keys, which the overview is about. */
const overseeing: readonly Permission[] = [
  "api.balance.read",
  "api.ledger.read",
  "api.spend_alerts.read",
  "api.project_api_keys.read",
];

/** Returns true if the person tries prompts and looks after nothing: the playground is then their first screen. */
export function startsInPlayground(heldPermissions: ShellPermissions): boolean {
  const may = (permission: Permission) =>
    [heldPermissions.organization, heldPermissions.project].some((all) => all.includes(permission));
  return may("api.playground.write") && !overseeing.some(may);
}
