import { isEndpointOpen, modelEndpoints } from "@/lib/contract/access/key-scopes";
import type { Permission } from "@/lib/contract/access/permissions";
import type { Operation } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import type { KeyScope } from "../keys/key-records";
import { Refusal } from "../refusal";
import type { Caller } from "./caller";

/**
 * Lets a limited key make only the calls that the operation table opens to it. Otherwise it could create a key without
 * the limit, or find what it may not read.
 * @throws Refusal 403 that names the key's limits.
 */
export function refuseOutsideScope(
  operation: Pick<Operation, "path" | "limitedKeys">,
  { scope }: Pick<Caller, "scope">,
): void {
  if (!scope || isEndpointOpen(findEndpoints(scope), operation)) return;
  const endpoints = findEndpoints(scope)?.join(" and ");
  throw outsideScope(`This key is limited to ${endpoints}: it may not call ${operation.path}.`, null);
}

/** @throws Refusal 403 that names the models that the key may call. */
export function refuseModelOutsideScope(scope: KeyScope | undefined, model: string): void {
  if (isModelInScope(scope, model)) return;
  const modelNames = scope?.models?.map((id) => `"${id}"`).join(", ");
  throw outsideScope(`This key may not call "${model}": it is limited to ${modelNames}.`, "model");
}

/** Whether a key's scope leaves it any operation that needs the permission. */
export function isPermissionInScope(scope: KeyScope, permission: Permission): boolean {
  if (!isScoped(scope)) return true;
  return operationTable.some(
    (operation) => operation.permission === permission && isEndpointOpen(findEndpoints(scope), operation),
  );
}

/** Whether a key is limited to models or endpoints: then it sees nothing of other keys' work. */
export function isScoped(scope: KeyScope | undefined): boolean {
  return scope !== undefined && (scope.models !== null || scope.endpoints !== null);
}

export function isModelInScope(scope: KeyScope | undefined, model: string): boolean {
  return !scope?.models || scope.models.includes(model);
}

function findEndpoints({ models, endpoints }: KeyScope): KeyScope["endpoints"] {
  return endpoints ?? (models && modelEndpoints);
}

function outsideScope(message: string, param: string | null): Refusal {
  return new Refusal(403, "permission_error", "outside_key_scope", message, { ...(param && { param }) });
}
