import { permissionCatalogue } from "@/lib/contract/access/permissions";
import type { Operation, OperationScope } from "@/lib/contract/operation";

const places: Readonly<Record<OperationScope, string>> = {
  organization: "the organization",
  project: "the organization or the project",
  "named project": "the organization or the project",
  "any project": "any project",
  own: "no place",
};

/** The required permission and where it must be held, in words. */
export function describeRequirements(operation: Operation): string {
  const { permission, sessionPermission, scope } = operation;
  if (typeof permission === "object") return `Open ${permission.open}. ${permission.because}`;
  const needs = `Needs \`${permission}\` in ${places[scope]}: ${permissionCatalogue[permission]}`;
  return sessionPermission ? `${needs} A session needs \`${sessionPermission}\` instead.` : needs;
}
