import type { OperationId } from "@/lib/contract/operation-table";
import type { AuditLog } from "@/lib/contract/operations/audit-logs";
import { type AuditChange, describeChanges, type FieldChange } from "./describe-changes";
import { findRestoreMethod } from "./find-restore-method";
import type { RestoreMethod, Row } from "./restore-method";

/** The operation that undoes an event, and the condition under which it does exactly that. */
export interface RevertPlan {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, string>>;
  /** Builds the body from the current object; undefined for an operation without a body. */
  readonly body: ((now: Row) => unknown) | undefined;
  /** The changed columns as the event left them; null if the operation itself refuses when the state differs. */
  readonly left: Row | null;
  /** Converts the retrieved object to the log's columns. */
  readonly columnsOf: (now: Row) => Row;
  /** The changes it will make, for display. */
  readonly changes: readonly FieldChange[];
}

/** Returns a plan, or the reason why there is none. */
export function planRevert(event: AuditLog): RevertPlan | string {
  const [first] = event.changes;
  const other = whyNot(event);
  if (other !== null || !first) return other ?? "This event changed nothing that can be put back.";
  if (first.object === "role_assignments" || first.object === "group_users") return planMembership(first);
  const way = findRestoreMethod(first);
  if (!way) return "This can't be put back from here. Change it on its own screen.";
  return planFields(first, way);
}

function planFields(change: AuditChange, way: RestoreMethod): RevertPlan | string {
  const before = change.before ?? change.default_before;
  const { after } = change;
  if (!after) return GONE;
  if (!before) return "There was none before. Take it away on its own screen.";
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
    columnsOf: way.columnsOf,
    changes: describeChanges([
      { ...change, before: after, after: { ...after, ...back }, default_before: null },
    ]),
  };
}

/** Plans the reversal of a given or removed role or membership. The gateway refuses it if the state is already so. */
function planMembership(change: AuditChange): RevertPlan | string {
  const { object, id, subject_id: subject, project_id: project, before, after } = change;
  if (!subject) return "The log doesn't say whose it was.";
  const isGiven = after !== null;
  const isGroup = object === "group_users" || (after ?? before)?.user_id === null;
  const holder: Record<string, string> = { [isGroup ? "group_id" : "user_id"]: subject };
  const common = {
    left: null,
    columnsOf: () => ({}),
    changes: describeChanges([{ ...change, before: after, after: before, default_before: null }]),
  };
  if (object === "group_users") {
    const params = { group_id: id, ...(isGiven && { user_id: subject }) };
    const body = isGiven ? undefined : () => ({ user_id: subject });
    return { ...common, operation: isGiven ? "removeGroupUser" : "addGroupUser", params, body };
  }
  const kinds = isGroup
    ? ([
        "unassignGroupRole",
        "assignGroupRole",
        "unassignProjectGroupRole",
        "assignProjectGroupRole",
      ] as const)
    : (["unassignUserRole", "assignUserRole", "unassignProjectUserRole", "assignProjectUserRole"] as const);
  return {
    ...common,
    operation: kinds[(project === null ? 0 : 2) + (isGiven ? 0 : 1)] ?? kinds[0],
    params: { ...holder, ...(project !== null && { project_id: project }), ...(isGiven && { role_id: id }) },
    body: isGiven ? undefined : () => ({ role_id: id }),
  };
}

const MADE = "What was made is deleted on its own screen.";
const GONE = "What was deleted can't be brought back: make it anew.";

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(login|logout)\.|^user\.sessions/, "A sign-in can't be undone. End the session instead."],
  [/^payment\.(requested|declined)/, "A payment that waited is decided under Payments."],
  [/^correction\.(requested|declined)/, "A correction that waited is decided under Payments."],
  [/^callback_secret\./, "A replaced secret can't be put back: replace it again with the API."],
  [/^statement\./, "A closed month stays closed. What corrects it counts in the month it is entered in."],
  [/^correction\./, "A correction stays in the ledger, and can't be corrected itself."],
  [/^payment\./, "A payment stays in the ledger. Correct its entry there."],
  [/^user\.(password|two_factor|single_sign_on)/, "How somebody signs in is theirs to change."],
  [/^(user\.(updated|added|deleted))$/, "Roles of a member are changed on the member's screen."],
  [/^(organization|audit_log)\./, "This can't be undone."],
  [/^request_body\./, "What was read can't be unread."],
  [
    /^body_settings\.|^(spend_limit|spend_alert|model_permissions)\.(?!updated)/,
    "Set it anew on its own screen.",
  ],
  [/^invite\./, "An invitation can't be undone. Withdraw it, or invite anew."],
  [/^project\.archived$/, "An archived project can't be opened again."],
];

function whyNot({ type, changes }: AuditLog): string | null {
  const known = reasons.find(([pattern]) => pattern.test(type));
  if (known) return known[1];
  if (type === "role.assignment.created" || type === "role.assignment.deleted") return onlyOne(changes);
  if (type.startsWith("group.user.")) return null;
  if (type.endsWith(".created")) return MADE;
  return type.endsWith(".deleted") ? GONE : null;
}

function onlyOne(changes: readonly AuditChange[]): string | null {
  return changes.length === 1
    ? null
    : "Several roles were changed at once. Change them on the member's screen.";
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
}
