import type { Operation } from "./operation";
import type { PredefinedRole } from "./predefined-roles";

/** Whether a permission held in one project allows an operation. */
export function appliesInProject({ scope }: Pick<Operation, "scope">): boolean {
  return scope === "project" || scope === "named project" || scope === "any project";
}

/** The kind of caller: a program with its key, or a person with a session. */
export type CallerKind = "key" | "person";

/** One cell of the published table: whether a role alone allows an operation within the role's own scope. */
export function allows(
  { resourceType, permissions }: Pick<PredefinedRole, "resourceType" | "permissions">,
  operation: Operation,
  asker: CallerKind,
): boolean {
  const { permission, sessionPermission } = operation;
  const neededPermission = (asker === "person" && sessionPermission) || permission;
  if (typeof neededPermission === "object") return true;
  return (
    (resourceType === "api.organization" || appliesInProject(operation)) &&
    permissions.includes(neededPermission)
  );
}
