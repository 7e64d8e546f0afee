import { countsInProject } from "@/lib/contract/access-table";
import type { Operation } from "@/lib/contract/operation";
import { permissionCatalogue } from "@/lib/contract/permissions";

/** What a caller must hold, and where, in words. */
export function describeNeeds(operation: Operation): string {
  const { permission, sessionPermission, heldIn } = operation;
  if (typeof permission === "object") return `Open ${permission.open}. ${permission.because}`;
  const place =
    heldIn ?? (countsInProject(operation) ? "the organization or the project" : "the organization");
  const needs = `Needs \`${permission}\` in ${place}: ${permissionCatalogue[permission]}`;
  return sessionPermission ? `${needs} A session needs \`${sessionPermission}\` instead.` : needs;
}
