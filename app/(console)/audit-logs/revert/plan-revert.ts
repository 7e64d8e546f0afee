import { type AuditChange, describeChanges } from "@/components/audit-log/describe-changes";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { NANO_PER_CENT } from "@/lib/money/amount";
import { modelRestoreMethods } from "./model-restore-methods";
import type { RevertPlan } from "./revert-plan";
import { NOT_RESTORABLE, parseListColumns, type Remake, type RestoreMethod, type Row } from "./revert-plan";

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

const SEVERAL = "Several roles were changed together. Change them on the member’s page.";

/** Plans the reversal of an event whose changes are roles of one holder. */
function planRoles({ changes }: Pick<AuditLog, "changes">): RevertPlan | string {
  const [first, second] = changes;
  if (!first) return SEVERAL;
  if (!second) return planMembership(first);
  const [given] = changes.filter(({ after }) => after !== null);
  const [taken] = changes.filter(({ after }) => after === null);
  const isReplacement = changes.length === 2 && given !== undefined && taken !== undefined;
  const isMember = given?.after?.user_id !== null;
  return isReplacement && isMember ? planReplacement(given, taken) : SEVERAL;
}

/** Plans the reversal of one role that took the place of another. The member's roles must be what the event left. */
function planReplacement(given: AuditChange, taken: AuditChange): RevertPlan | string {
  const { subject_id: user, project_id: project } = given;
  if (!user || taken.subject_id !== user || taken.project_id !== project) return SEVERAL;
  const inProject = project === null ? null : { project_id: project };
  return {
    operation: inProject ? "changeProjectUser" : "changeUser",
    params: { user_id: user, ...inProject },
    body: () => ({ role: taken.id }),
    left: { role: JSON.stringify([given.id]) },
    toColumns: ({ roles }) => ({ role: roles }),
    changes: describeChanges([taken, given].map(swapped)),
  };
}

/** Plans the reversal of a given or removed role or membership. The gateway refuses it if the state is already so. */
function planMembership(change: AuditChange): RevertPlan | string {
  const { object, id, subject_id: subject, project_id: project, before, after } = change;
  if (!subject) return "The log doesn’t say whose it was.";
  const isGiven = after !== null;
  const isGroup = object === "group_users" || (after ?? before)?.user_id === null;
  const holder: Record<string, string> = { [isGroup ? "group_id" : "user_id"]: subject };
  const common = { left: null, toColumns: () => ({}), changes: describeChanges([swapped(change)]) };
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

function swapped(change: AuditChange): AuditChange {
  return { ...change, before: change.after, after: change.before, default_before: null };
}

const same = (row: Row) => row;
const named = { columns: ["name"], otherwise: NOT_RESTORABLE, body: same, toColumns: same };

const projectFields: Pick<RestoreMethod, "columns" | "otherwise" | "body" | "toColumns"> = {
  ...named,
  columns: ["name", "hosted_tools"],
  body: ({ hosted_tools, ...back }) => ({
    ...back,
    ...(hosted_tools !== undefined && { hosted_tools: hosted_tools ?? "leave_out" }),
  }),
  toColumns: (now) => ({ ...now, hosted_tools: now.hosted_tools === "refuse" ? "refuse" : null }),
};

/** Undefined if no operation can restore the object. */
function findRestoreMethod(change: AuditChange): RestoreMethod | undefined {
  const { object, id, project_id } = change;
  const project = project_id ?? "";
  const ways: Readonly<Record<string, () => RestoreMethod>> = {
    rate_limits: () => ({
      operation: "saveRateLimit",
      params: { project_id: project, rate_limit_id: id },
      columns: [...rateLimitFields, "own_fields"],
      otherwise: NOT_RESTORABLE,
      body: (back, now) => restoreLimits(change, back, now),
      toColumns: ({ own_fields, ...now }) => ({ ...now, own_fields: JSON.stringify(own_fields) }),
    }),
    projects: () => ({ ...projectFields, operation: "changeProject", params: { project_id: id } }),
    groups: () => ({ ...named, operation: "changeGroup", params: { group_id: id } }),
    project_api_keys: () => ({
      columns: ["name", "models", "endpoints"],
      body: parseListColumns(["models", "endpoints"]),
      toColumns: same,
      otherwise: "A key’s expiry can’t be reverted. Change it on the key’s page.",
      operation: "changeProjectApiKey",
      params: { project_id: project, key_id: id },
    }),
    service_accounts: () => ({
      ...named,
      columns: ["name", "role"],
      operation: "changeServiceAccount",
      params: { project_id: project, service_account_id: id },
    }),
    roles: () => ({
      operation: project_id === null ? "changeRole" : "changeProjectRole",
      params: { role_id: id, ...(project_id !== null && { project_id }) },
      columns: ["name", "description", "permissions"],
      otherwise: NOT_RESTORABLE,
      body: ({ name, permissions, ...back }) => ({
        ...back,
        ...(name !== undefined && { role_name: name }),
        ...(permissions !== undefined && { permissions: JSON.parse(String(permissions)) }),
      }),
      toColumns: ({ permissions, ...now }) => ({ ...now, permissions: JSON.stringify(permissions) }),
    }),
    users: () => ({
      operation: "changeUser",
      params: { user_id: id },
      columns: ["developer_persona", "technical_level"],
      otherwise: NOT_RESTORABLE,
      body: same,
      toColumns: same,
    }),
    body_settings: () => ({
      operation: "saveBodySettings",
      params: { project_id: project },
      columns: ["mode", "retention_days", "redactions"],
      otherwise: NOT_RESTORABLE,
      body: (back, { mode, retention_days, redactions }) => ({
        mode,
        retention_days,
        redactions,
        ...parseListColumns(["redactions"])(back),
      }),
      toColumns: same,
    }),
  };
  const further = { ...spendRestoreMethods(change), ...modelRestoreMethods(change) };
  return (ways[object] ?? further[object])?.();
}

/** What was set by hand before, each limit as it was; a limit that wasn't follows its default again. */
function restoreLimits({ before, after }: AuditChange, back: Row, now: Row): Row {
  // Events from before limits followed defaults one by one have no list: all six were set by hand.
  const listOwn = (row: Row | null): string[] =>
    row === null ? [] : row.own_fields === undefined ? rateLimitFields : JSON.parse(String(row.own_fields));
  const [ownBefore, ownAfter] = [listOwn(before), listOwn(after)];
  const isBack = (field: string) => field in back || ownBefore.includes(field) !== ownAfter.includes(field);
  return Object.fromEntries(
    rateLimitFields
      .filter(isBack)
      .map((field) => [
        field,
        ownBefore.includes(field) ? (back[field] ?? before?.[field] ?? now[field] ?? null) : "default",
      ]),
  );
}

/** How spend limits and alerts are restored. Their operations replace the whole object. */
function spendRestoreMethods({
  id,
  project_id,
}: Pick<AuditChange, "id" | "project_id">): Readonly<Record<string, () => RestoreMethod>> {
  const projectParams: Readonly<Record<string, string>> = project_id === null ? {} : { project_id };
  const isOrganization = project_id === null;
  return {
    spend_limits: () => ({
      operation: isOrganization ? "saveSpendLimit" : "saveProjectSpendLimit",
      params: projectParams,
      columns: ["amount"],
      otherwise: NOT_RESTORABLE,
      body: ({ amount }, { currency }) => toLimit(amount, currency),
      toColumns: ({ threshold_amount: cents }) => ({ amount: String(BigInt(Number(cents)) * NANO_PER_CENT) }),
      remove: { operation: isOrganization ? "deleteSpendLimit" : "deleteProjectSpendLimit" },
      remake: { body: ({ amount }, { currency }) => toLimit(amount, currency) },
    }),
    spend_alerts: () => ({
      operation: isOrganization ? "changeSpendAlert" : "changeProjectSpendAlert",
      params: { ...projectParams, alert_id: id },
      columns: ["threshold_cents", "recipients", "subject_prefix"],
      otherwise: NOT_RESTORABLE,
      body: (back, { currency, threshold_amount, notification_channel: channel }) => {
        const { threshold_cents = threshold_amount, ...sentTo } = parseListColumns(["recipients"])(back);
        return toAlert(currency, threshold_cents, { ...(channel as Row), ...sentTo });
      },
      toColumns: ({ threshold_amount, notification_channel: channel }) => {
        const { recipients, subject_prefix = null } = channel as Row;
        return { threshold_cents: threshold_amount, recipients: JSON.stringify(recipients), subject_prefix };
      },
      remove: { operation: isOrganization ? "deleteSpendAlert" : "deleteProjectSpendAlert" },
      remake: {
        operation: isOrganization ? "createSpendAlert" : "createProjectSpendAlert",
        params: projectParams,
        body: ({ threshold_cents, recipients, subject_prefix }, { currency }) =>
          toAlert(currency, threshold_cents, {
            type: "email",
            recipients: JSON.parse(String(recipients)),
            subject_prefix,
          }),
      },
    }),
  };
}

const toLimit = (amount: unknown, currency: unknown) => ({
  currency,
  interval: "month",
  threshold_amount: Number(BigInt(String(amount)) / NANO_PER_CENT),
});

const toAlert = (currency: unknown, cents: unknown, channel: Row) => ({
  currency,
  interval: "month",
  threshold_amount: cents,
  notification_channel: channel,
});
