import type { Permission } from "./access/permissions";
import type { PredefinedRole } from "./access/predefined-roles";
import type { Operation } from "./operation";

/** Whether a permission held in one project allows an operation. */
export function appliesInProject({ scope }: Pick<Operation, "scope">): boolean {
  return scope === "project" || scope === "named project" || scope === "any project";
}

/** The kind of caller: a program with its key, or a person with a session. */
export type CallerKind = "key" | "person";

/** The permission that a kind of caller needs for an operation; null for one that requires none. */
export function findNeededPermission(
  { permission, sessionPermission }: Pick<Operation, "permission" | "sessionPermission">,
  caller: CallerKind,
): Permission | null {
  if (caller === "person" && sessionPermission) return sessionPermission;
  return typeof permission === "object" ? null : permission;
}

/** One cell of the published table: whether a role alone allows an operation within the role's own scope. */
export function allows(
  { resourceType, permissions }: Pick<PredefinedRole, "resourceType" | "permissions">,
  operation: Operation,
  caller: CallerKind,
): boolean {
  const permission = findNeededPermission(operation, caller);
  if (permission === null) return true;
  return (
    (resourceType === "api.organization" || appliesInProject(operation)) && permissions.includes(permission)
  );
}
