import { permissionCatalogue } from "@/lib/contract/access/permissions";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { BodyBounds, Operation, OperationScope } from "@/lib/contract/operation";

const places: Readonly<Record<OperationScope, string>> = {
  organization: "the organization",
  project: "the organization or the project",
  "named project": "the organization or the project",
  "any project": "any project",
  own: "no place",
};

/** The required permission and where it must be held, in words, and the limited keys that may call the operation. */
export function describeRequirements(operation: Operation): string {
  return describePermission(operation) + describeLimitedKeys(operation);
}

function describeLimitedKeys({ limitedKeys }: Operation): string {
  if (limitedKeys === undefined) return "";
  if (limitedKeys === "all") return " Every limited key may call it.";
  return ` Keys that are limited to ${limitedKeys.map((name) => `\`${name}\``).join(", ")} may call it.`;
}

function describePermission({ permission, sessionPermission, scope }: Operation): string {
  if (typeof permission === "object") return `Open ${permission.open}. ${permission.because}`;
  const needs = `Needs \`${permission}\` in ${places[scope]}: ${permissionCatalogue[permission]}`;
  return sessionPermission ? `${needs} A session needs \`${sessionPermission}\` instead.` : needs;
}

/** The maximum size of a request's body, in words. */
export function describeBodyBounds({ bytes, entries }: BodyBounds): string {
  return `At most ${formatBytes(bytes)} and ${entries.toLocaleString("en")} entries: commas and opening brackets outside of strings.`;
}
