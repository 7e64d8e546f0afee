import { findFieldWords } from "@/components/audit-log/field-words";
import { ifMatch } from "@/lib/console/actions/if-match";
import type { LooseRequest } from "@/lib/console/gateway/gateway-request";
import { createProblem, type GatewayReply } from "@/lib/console/gateway/problem";
import type { Operation } from "@/lib/contract/operation";
import { findRetrieveOperation, type OperationId, operations } from "@/lib/contract/operation-table";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { isSameValue } from "./find-reversal";
import { planRevert } from "./plan-revert";
import type { RevertPlan, Row } from "./revert-plan";

/** Calls an operation of the gateway as the person who reverts. */
export type Call = <Data>(operation: Operation, request: LooseRequest) => Promise<GatewayReply<Data>>;

/**
 * Undoes an event with the operation that normally changes its object. This is a new change by the caller, made against
 * the current version. Refused if the object has changed since the event.
 */
export async function revertEvent(call: Call, id: string): Promise<GatewayReply<unknown>> {
  const found = await call<AuditLog>(known("retrieveAuditLog"), { params: { audit_log_id: id } });
  if (!found.ok) return found;
  const plan = planRevert(found.data);
  if (typeof plan === "string") return { ok: false, problem: createProblem("refused", plan) };
  const operation = known(plan.operation);
  if (plan.left === null) return call(operation, { params: plan.params, body: plan.body?.({}) });
  if (plan.left === "absent") return remake(call, plan, found.data);
  const retrieve = findRetrieveOperation(operation);
  if (!retrieve) throw new Error(`${plan.operation} changes nothing that can be retrieved`);
  const now = await call<Row>(retrieve, { params: plan.params });
  if (!now.ok) return now;
  const moved = changedSince(plan.left, plan.toColumns(now.data), found.data.changes[0]?.object ?? "");
  if (moved) return { ok: false, problem: createProblem("conflict", moved) };
  const version = typeof now.data.version === "string" ? now.data.version : undefined;
  return call(operation, {
    params: plan.params,
    body: plan.body?.(now.data),
    headers: ifMatch(version),
  });
}

/** Makes a deleted object again, at most once for each event. */
async function remake(call: Call, plan: RevertPlan, event: AuditLog): Promise<GatewayReply<unknown>> {
  const operation = known(plan.operation);
  const retrieve = findRetrieveOperation(operation);
  const now = retrieve && (await call(retrieve, { params: plan.params }));
  if (now?.ok) {
    const message = "It has been set again since this event. Change it on its own screen.";
    return { ok: false, problem: createProblem("conflict", message) };
  }
  if (now && now.problem.code !== "not_found") return now;
  const me = await call<{ organization: Row }>(known("retrieveMe"), {});
  if (!me.ok) return me;
  return call(operation, {
    params: plan.params,
    body: plan.body?.(me.data.organization),
    ...(operation.effect === "creates" && { headers: { "idempotency-key": `revert-${event.id}` } }),
  });
}

function known(id: OperationId): Operation {
  return operations[id] as Operation;
}

/** Returns a message about the first field that has changed since the event; null if there is none. */
function changedSince(left: Row, columns: Row, table: string): string | null {
  const moved = Object.entries(left).find(([column, value]) => !isSameValue(value, columns[column]));
  if (!moved) return null;
  const label = findFieldWords(table, moved[0])?.label ?? moved[0];
  return `${label} has been changed again since this event. Revert that change first, or set it on its own screen.`;
}
