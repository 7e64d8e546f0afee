import type { Permission } from "@/lib/contract/access/permissions";
import { type RoleView, readRoleView } from "@/lib/contract/access/role-view";
import type { Caller } from "./caller";

const nothing: ReadonlySet<Permission> = new Set();

/**
 * The caller with at most what a role allows, and only to read: what they may not see themselves stays hidden. `header`
 * is that of a view, null without one.
 */
export function narrowCaller(caller: Caller, header: string | null): Caller {
  if (header === null) return caller;
  const view: RoleView = readRoleView(header);
  const allowed = new Set(view.permissions);
  const permissionsIn = (projectId: string | null) =>
    view.projectId === null || view.projectId === projectId
      ? new Set([...caller.permissionsIn(projectId)].filter((permission) => allowed.has(permission)))
      : nothing;
  return {
    ...caller,
    isReadOnly: true,
    permissionsIn,
    permissions: permissionsIn(caller.projectId),
    holdsAnywhere: (permission) =>
      allowed.has(permission) &&
      (view.projectId === null
        ? caller.holdsAnywhere(permission)
        : caller.permissionsIn(view.projectId).has(permission)),
  };
}
