import { type AuditChange, describeChanges } from "@/components/audit-log/describe-changes";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { findRestoreMethod } from "./find-restore-method";
import { planMembership, planRoles } from "./plan-roles";
import { NOT_RESTORABLE, type Remake, type RestoreMethod, type Row } from "./restore-method";
import type { RevertPlan } from "./revert-plan";
import { GONE, whyNotReverted } from "./why-not-reverted";

/** Returns a plan, or the reason why there is none. */
export function planRevert(event: AuditLog): RevertPlan | string {
  const reason = whyNotReverted(event);
  if (reason !== null) return reason;
  const first = findSetting(event);
  if (!first) return "This event has no change that can be reverted.";
  if (first.object === "group_users") return planMembership(first);
  if (event.changes.every(({ object }) => object === "role_assignments")) return planRoles(event);
  const way = findRestoreMethod(first);
  if (!way || first.object === "role_assignments") return NOT_RESTORABLE;
  return planFields(first, way);
}

/** The change that a person made. A scheduled price that takes effect is deleted with the same event. */
function findSetting({ type, changes }: AuditLog): AuditChange | undefined {
  if (type !== "scheduled_price.applied") return changes[0];
  return changes.find(({ object }) => object === "model_prices");
}

function planFields(change: AuditChange, way: RestoreMethod): RevertPlan | string {
  const before = change.before ?? change.default_before;
  const { after } = change;
  if (!after) return before && way.remake ? planRemake(change, before, way, way.remake) : GONE;
  if (!before) return planRemoval(change, after, way);
  const changed = Object.keys(after).filter(
    (column) => way.columns.includes(column) && before[column] !== after[column],
  );
  const unknown = describeChanges([change]).length > changed.length;
  if (changed.length === 0 || unknown) return way.otherwise;
  const back = pick(before, changed);
  return {
    operation: way.operation,
    params: way.params,
    body: (now) => way.body(back, now),
    left: pick(after, changed),
    toColumns: way.toColumns,
    changes: describeChanges([
      { ...change, before: after, after: { ...after, ...back }, default_before: null },
    ]),
  };
}

function planRemoval(change: AuditChange, after: Row, way: RestoreMethod): RevertPlan | string {
  if (!way.remove) return "There was none before. Remove it on its own page.";
  return {
    operation: way.remove.operation,
    params: way.remove.params ?? way.params,
    body: undefined,
    left: pick(after, way.columns),
    toColumns: way.toColumns,
    changes: describeChanges([{ ...change, before: after, after: null, default_before: null }]),
  };
}

function planRemake(change: AuditChange, deleted: Row, way: RestoreMethod, remake: Remake): RevertPlan {
  return {
    operation: remake.operation ?? way.operation,
    params: remake.params ?? way.params,
    body: (organization) => remake.body(deleted, { currency: String(organization.currency) }),
    left: "absent",
    toColumns: way.toColumns,
    changes: describeChanges([{ ...change, before: null, after: deleted, default_before: null }]),
  };
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
}
