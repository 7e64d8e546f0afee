import { rateLimitFields } from "@/lib/contract/rate-limit-table";
import type { AuditChange } from "./describe-changes";
import { NOT_RESTORABLE, parseListColumns, type RestoreMethod, type Row } from "./restore-method";
import { spendRestoreMethods } from "./spend-restore-methods";

const same = (row: Row) => row;
const named = { columns: ["name"], otherwise: NOT_RESTORABLE, body: same, columnsOf: same };

/** Undefined if no operation can restore the object. */
export function findRestoreMethod({ object, id, project_id }: AuditChange): RestoreMethod | undefined {
  const project = project_id ?? "";
  const ways: Readonly<Record<string, () => RestoreMethod>> = {
    rate_limits: () => ({
      operation: "saveRateLimit",
      params: { project_id: project, rate_limit_id: id },
      columns: rateLimitFields,
      otherwise: NOT_RESTORABLE,
      body: same,
      columnsOf: same,
    }),
    projects: () => ({ ...named, operation: "changeProject", params: { project_id: id } }),
    groups: () => ({ ...named, operation: "changeGroup", params: { group_id: id } }),
    project_api_keys: () => ({
      columns: ["name", "models", "endpoints"],
      body: parseListColumns(["models", "endpoints"]),
      columnsOf: same,
      otherwise: "When a key expires can't be put back. Change it on the key's screen.",
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
      columnsOf: ({ permissions, ...now }) => ({ ...now, permissions: JSON.stringify(permissions) }),
    }),
    model_permissions: () => ({
      operation: "saveModelPermissions",
      params: { project_id: project },
      columns: ["mode", "model_ids"],
      otherwise: NOT_RESTORABLE,
      body: (back, { mode, model_ids }) => ({ mode, model_ids, ...parseListColumns(["model_ids"])(back) }),
      columnsOf: same,
    }),
    model_prices: () => ({
      operation: "changeOrganizationModel",
      params: { model_id: id },
      columns: ["rate", "input_per_1m", "output_per_1m"],
      otherwise: NOT_RESTORABLE,
      body: ({ rate, ...prices }, { price }) => ({
        ...(rate !== undefined && { rate }),
        ...(Object.keys(prices).length > 0 && { price: { ...(price as Row), ...prices } }),
      }),
      columnsOf: ({ rate, price }) => ({ rate, ...(price as Row | null) }),
    }),
  };
  return (ways[object] ?? spendRestoreMethods({ id, project_id })[object])?.();
}
