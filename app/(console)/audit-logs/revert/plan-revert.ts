import { type AuditChange, describeChanges } from "@/components/audit-log/describe-changes";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { findRestoreMethod } from "./find-restore-method";
import { planMembership, planRoles } from "./plan-roles";
import { NOT_RESTORABLE, type Remake, type RestoreMethod, type Row } from "./restore-method";
import type { RevertPlan } from "./revert-plan";

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

const MADE = "Created objects are deleted on their own pages.";

const GONE = "Deleted objects can’t be restored. Create a new one.";

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(login|logout)\.|^user\.sessions/, "A sign-in can’t be undone. End the session instead."],
  [
    /^payment_approval\./,
    "The approval amount is changed under Payments: a higher one needs a second member.",
  ],
  [/^payment\.(requested|declined)/, "Pending payments are decided under Payments."],
  [/^correction\.(requested|declined)/, "Pending corrections are decided under Payments."],
  [/^receipt_link\./, "A link is revoked on the call’s page; a revoked one can’t be restored."],
  [/^access_request\.(created|declined)/, "A request can’t be answered again. It can be made again."],
  [/^access_request\.ended/, "What was given for a time went back. Give it again where it is set."],
  [/^callback_secret\./, "A replaced secret can’t be restored. Replace it again with the API."],
  [/^statement\./, "A closed month stays closed. Corrections count in the month in which they are entered."],
  [/^correction\./, "A correction stays in the ledger, and can’t be corrected itself."],
  [/^payment\./, "A payment stays in the ledger. Correct its entry there."],
  [/^user\.(password|two_factor|single_sign_on)/, "Only the member can change how they sign in."],
  [/^(organization|audit_log)\./, "This can’t be undone."],
  [/^request_body\./, "Reading can’t be reverted."],
  [/^api_key\.run_as/, "A call that was sent can’t be undone."],
  [/^batch\.created/, "A batch that was created can’t be undone. Cancel it on its page."],
  [/^(file|video)\.deleted/, "Deleted files can’t be restored."],
  [/^(task|batch)\.cancel_requested/, "A cancellation can’t be undone."],
  [/^task\.callback/, "A callback that was sent can’t be undone."],
  [/^spend_alert\.fired/, "An alert that fired can’t be undone."],
  [/^provider\.circuit/, "A circuit breaker opens again by itself when calls fail."],
  [/^invite\./, "An invitation can’t be reverted. Withdraw it, or create a new one."],
  [/^project\.archived$/, "An archived project can’t be restored."],
];

/** Objects whose creation and deletion are a setting made or cleared, so that either can be undone. */
const undone = /^(role\.assignment|group\.user|spend_limit|spend_alert|model_permissions|scheduled_price)\./;

/** Returns the reason why events of a type can't be reverted; null if they may be. */
function whyNotReverted({ type, changes }: Pick<AuditLog, "type" | "changes">): string | null {
  const known = reasons.find(([pattern]) => pattern.test(type));
  if (known) return known[1];
  if (undone.test(type)) return null;
  if (type.endsWith(".created")) return MADE;
  if (type === "user.deleted" && changes.every(({ object }) => object === "role_assignments")) return null;
  return type.endsWith(".deleted") ? GONE : null;
}
