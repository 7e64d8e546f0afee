import type { Operation } from "./operation";
import type { PredefinedRole } from "./predefined-roles";

/** Whether a permission that is held in one project lets its holder into an operation. */
export function countsInProject({ scope }: Pick<Operation, "scope">): boolean {
  return scope === "project" || scope === "named project" || scope === "any project";
}

/** Who asks with a role: a program with its key, or a person with a session. */
export type Asker = "key" | "person";

/** One cell of the published table: whether a role alone lets its holder into an operation, within the role's own reach. */
export function allows(
  { resourceType, permissions }: Pick<PredefinedRole, "resourceType" | "permissions">,
  operation: Operation,
  asker: Asker,
): boolean {
  const { permission, sessionPermission } = operation;
  const needed = (asker === "person" && sessionPermission) || permission;
  if (typeof needed === "object") return true;
  return (resourceType === "api.organization" || countsInProject(operation)) && permissions.includes(needed);
}
