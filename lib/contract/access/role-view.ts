import { isPermission, type Permission } from "./permissions";

/** Narrows a request to what a role allows, for a look at what its holders see. It never gives anything. */
export const ROLE_VIEW_HEADER = "gatehouse-role-view";

/** What a role allows: everywhere or, for a project's role, in that project alone. */
export interface RoleView {
  readonly permissions: readonly Permission[];
  readonly projectId: string | null;
}

/** `in=proj_…; api.models.read api.roles.read`. */
export function writeRoleView({ permissions, projectId }: RoleView): string {
  return `in=${projectId ?? "organization"}; ${permissions.join(" ")}`;
}

/** Reads the header. What it doesn't understand allows nothing. */
export function readRoleView(text: string): RoleView {
  const [, place = "organization", names = ""] = /^in=([\w-]+);(.*)$/.exec(text) ?? [];
  return {
    permissions: names.split(/\s+/).filter(isPermission),
    projectId: place === "organization" ? null : place,
  };
}
