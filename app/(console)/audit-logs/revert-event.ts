import "server-only";
import { ifMatch } from "@/lib/console/actions/if-match";
import { callGateway, callLoosely } from "@/lib/console/gateway/gateway-client";
import { type GatewayReply, plainProblem } from "@/lib/console/gateway/problem";
import type { Operation } from "@/lib/contract/operation";
import { operations, retrieveOperationOf } from "@/lib/contract/operation-table";
import { wordsOf } from "./field-words";
import { planRevert, type RevertPlan } from "./plan-revert";
import type { Row } from "./restore-method";
import { isSameValue } from "./same-value";

/**
 * Undoes an event with the operation that normally changes its object. This is a new change by the caller, made against the
 * current version. Refused if the object has changed since the event.
 */
export async function revertEvent(id: string): Promise<GatewayReply<unknown>> {
  const event = await callGateway("retrieveAuditLog", { params: { audit_log_id: id } });
  if (!event.ok) return event;
  const plan = planRevert(event.data);
  if (typeof plan === "string") return { ok: false, problem: plainProblem("refused", plan) };
  const operation = operations[plan.operation] as Operation;
  if (plan.left === null) return callLoosely(operation, { params: plan.params, body: plan.body?.({}) });
  const retrieve = retrieveOperationOf(operation);
  if (!retrieve) throw new Error(`${plan.operation} changes nothing that can be retrieved`);
  const now = await callLoosely<Row>(retrieve, { params: plan.params });
  if (!now.ok) return now;
  const moved = changedSince(plan, now.data, event.data.changes[0]?.object ?? "");
  if (moved) return { ok: false, problem: plainProblem("conflict", moved) };
  const version = typeof now.data.version === "string" ? now.data.version : undefined;
  return callLoosely(operation, {
    params: plan.params,
    body: plan.body?.(now.data),
    headers: ifMatch(version),
  });
}

/** Returns a message about the first field that has changed since the event; null if there is none. */
function changedSince({ left, columnsOf }: RevertPlan, now: Row, table: string): string | null {
  const columns = columnsOf(now);
  const moved = Object.entries(left ?? {}).find(([column, value]) => !isSameValue(value, columns[column]));
  if (!moved) return null;
  const label = wordsOf(table, moved[0])?.label ?? moved[0];
  return `${label} has been changed again since this event. Revert that change first, or set it on its own screen.`;
}
