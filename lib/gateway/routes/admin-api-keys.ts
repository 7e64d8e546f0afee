import type { AdminApiKey } from "@/lib/contract/operations/admin-api-keys";
import { roleIdOf, roleWord } from "@/lib/contract/role-words";
import { redactKey } from "@/lib/contract/secret-keys";
import type { AdminKeyUses } from "../keys/admin-key-uses";
import { createAdminKey } from "../keys/create-admin-key";
import { deleteAdminKey } from "../keys/delete-admin-key";
import type { AdminKeyRecord, KeyStore } from "../keys/key-store";
import type { Keyring } from "../keys/keyring";
import type { Effects } from "../ports/effects";
import type { OneAtATime } from "../ports/one-at-a-time";
import { notFound } from "../ports/refusal";
import type { AccessGraph } from "../roles/access-graph";
import { refuseExcess } from "../roles/change-access";
import { findRole } from "../roles/find-role";
import type { SessionBook } from "../sessions/session-book";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toNullableUnixSeconds, toUnixSeconds } from "./unix-seconds";

type Ids = "listAdminApiKeys" | "createAdminApiKey" | "retrieveAdminApiKey" | "deleteAdminApiKey";

export function adminApiKeyRoutes(context: {
  keys: KeyStore;
  keyring: Keyring;
  adminKeyUses: AdminKeyUses;
  graph: AccessGraph;
  sessionBook: SessionBook;
  inTurn: OneAtATime;
  effects: Effects;
}): Handlers<Ids> {
  const { keys, adminKeyUses, graph, sessionBook, inTurn } = context;
  const findKey = async (id: string) => {
    await adminKeyUses.keep();
    const key = await keys.findAdminKey(id);
    if (!key) throw notFound("admin key", id, "key_id");
    return key;
  };
  return {
    listAdminApiKeys: async ({ query }) => {
      await adminKeyUses.keep();
      return paginate(keys.listedAdminKeys(), query, (key) => toAdminApiKey(key, key.lastUsedAtMs));
    },
    createAdminApiKey: ({ body, caller }) =>
      inTurn(async () => {
        const role = findRole(graph, roleIdOf(body.role, false), null, "role");
        refuseExcess(caller, role.permissions, null);
        const lifetimeSeconds = body.expires_in_seconds ?? null;
        const draft = { name: body.name, roleId: role.id, given: null, lifetimeSeconds };
        const { key, value } = await createAdminKey(context, draft);
        return { ...toAdminApiKey(key, null), value };
      }),
    retrieveAdminApiKey: async ({ params }) => {
      const key = await findKey(params.key_id);
      return toAdminApiKey(key, key.lastUsedAtMs);
    },
    deleteAdminApiKey: ({ params: { key_id: id }, caller }) =>
      inTurn(async () => {
        const key = await findKey(id);
        refuseExcess(caller, graph.findRole(key.roleId)?.permissions ?? [], null);
        await deleteAdminKey(context, key);
        sessionBook.removeOf({ kind: "admin_key", id });
        return { object: "organization.admin_api_key.deleted" as const, id, deleted: true as const };
      }),
  };
}

function toAdminApiKey(key: AdminKeyRecord, lastUsedAtMs: number | null): AdminApiKey {
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
