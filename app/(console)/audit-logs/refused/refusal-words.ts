import { capitalize } from "@/components/ui/text/capitalize";
import type { AccessRefusal } from "@/lib/contract/operations/audit/audit-logs";

/** Explanations by refusal code. */
export const reasons: Readonly<Record<string, string>> = {
  invalid_api_key: "No valid key or session",
  missing_permission: "Permission missing",
  exceeds_own_permissions: "More than their own rights",
  viewing_as_role: "A change while viewing as a role",
  outside_key_scope: "Outside the key’s limits",
  own_ownership: "Their own ownership",
  predefined_role: "Predefined role",
  predefined_provider: "Predefined provider",
};

export const describeReason = ({ code }: Pick<AccessRefusal, "code">) => reasons[code] ?? code;

const callerTypes = { user: null, admin_key: "admin key", project_key: "project key" } as const;

export function describeCaller({ caller }: Pick<AccessRefusal, "caller">) {
  if (caller === null) return { name: "Unknown", note: null };
  return { name: caller.name, note: callerTypes[caller.type] };
}

/** Turns an operation's id into words: `deleteProjectApiKey` becomes "Delete project API key". */
export function describeOperation({ operation }: Pick<AccessRefusal, "operation">): string {
  if (operation === null) return "Several operations";
  const words = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bapi\b/, "API");
  return capitalize(words);
}
