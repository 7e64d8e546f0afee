import { roleWord, toOrganizationRoleId } from "@/lib/contract/access/role-words";
import { redactKey } from "@/lib/contract/access/secret-keys";
import type { AdminApiKey } from "@/lib/contract/operations/keys/admin-api-keys";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import {
  type AdminKeyContext,
  type AdminKeyUses,
  createAdminKey,
  deleteAdminKey,
} from "../../keys/admin-keys";
import type { AdminKeyRecord } from "../../keys/key-records";
import { notFound } from "../../refusal";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids = "listAdminApiKeys" | "createAdminApiKey" | "retrieveAdminApiKey" | "deleteAdminApiKey";

interface Context extends AdminKeyContext {
  readonly adminKeyUses: AdminKeyUses;
}

export function adminApiKeyRoutes(context: Context): Handlers<Ids> {
  const { keys, adminKeyUses } = context;
  return {
    listAdminApiKeys: ({ query }) =>
      paginate(keys.adminKeyPages(), query, (key) => toAdminApiKey(key, adminKeyUses.lastUsedAtMs(key))),
    createAdminApiKey: async ({ body, caller, request }) => {
      const roleId = toOrganizationRoleId(body.role);
      const draft = { name: body.name, roleId, lifetimeSeconds: body.expires_in_seconds ?? null };
      const { key, value } = await createAdminKey(context, request, caller, draft);
      return { ...toAdminApiKey(key, null), value };
    },
    retrieveAdminApiKey: async ({ params: { key_id: id } }) => {
      const key = await keys.findAdminKey(id);
      if (!key) throw notFound("admin key", id, "key_id");
      return toAdminApiKey(key, adminKeyUses.lastUsedAtMs(key));
    },
    deleteAdminApiKey: async ({ params: { key_id: id }, caller, request }) => {
      await deleteAdminKey(context, request, caller, id);
      return { object: "organization.admin_api_key.deleted", id, deleted: true };
    },
  };
}

export function toAdminApiKey(key: AdminKeyRecord, lastUsedAtMs: number | null): AdminApiKey {
  const { id, name } = key;
  const role = roleWord(key.roleId);
  const created_at = toUnixSeconds(key.createdAtMs);
  return {
    object: "organization.admin_api_key",
    id,
    name,
    redacted_value: redactKey("gk_admin_", key.lastFour),
    role,
    created_at,
    expires_at: toNullableUnixSeconds(key.expiresAtMs),
    last_used_at: toNullableUnixSeconds(lastUsedAtMs),
    owner: {
      type: "service_account",
      object: "organization.service_account",
      id,
      name,
      role,
      created_at,
    },
  };
}
