import type { AuditChange } from "@/components/audit-log/describe-changes";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { modelRestoreMethods } from "./model-restore-methods";
import { NOT_RESTORABLE, parseListColumns, type RestoreMethod, type Row } from "./restore-method";
import { spendRestoreMethods } from "./spend-restore-methods";

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
export function findRestoreMethod(change: AuditChange): RestoreMethod | undefined {
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
