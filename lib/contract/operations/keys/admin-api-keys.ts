import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import {
  displayName,
  lifetimeSeconds,
  pageSchema,
  searchedOrderedPageQuery,
  unixSeconds,
} from "../../schema";
import { markUnversioned, withVersion } from "../../version";

/** A key of the whole organization, after OpenAI's `organization.admin_api_key`. */
export const adminApiKey = withVersion(
  z.object({
    object: z.literal("organization.admin_api_key"),
    id: z.string(),
    name: z.string(),
    redacted_value: z.string(),
    /** The key's role, as a word such as `owner` or as its id. */
    role: z.string(),
    created_at: unixSeconds,
    expires_at: z.nullable(unixSeconds),
    last_used_at: markUnversioned(z.nullable(unixSeconds)),
    /** The key acts as itself. */
    owner: z.object({
      type: z.literal("service_account"),
      object: z.literal("organization.service_account"),
      id: z.string(),
      name: z.string(),
      role: z.string(),
      created_at: unixSeconds,
    }),
  }),
);
export type AdminApiKey = z.output<typeof adminApiKey>;

/** The reply of a creation: the only time the whole key is shown, in `value`. */
const createdAdminApiKey = z.extend(adminApiKey, { value: markUnversioned(z.string()) });

const adminApiKeyDraft = z.strictObject({
  name: displayName,
  expires_in_seconds: z.optional(lifetimeSeconds),
  /** A role of the organization, as a word or its id; by default `owner`, like OpenAI's admin keys. */
  role: z._default(z.string(), "owner"),
});

const deletedKey = z.object({
  object: z.literal("organization.admin_api_key.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const adminApiKeyOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listAdminApiKeys: {
      method: "GET",
      path: "/organization/admin_api_keys",
      permission: "api.admin_api_keys.read",
      summary: "Lists the organization's admin keys, oldest first, without their values.",
      query: searchedOrderedPageQuery,
      reply: pageSchema(adminApiKey),
    },
    createAdminApiKey: {
      method: "POST",
      effect: "creates",
      path: "/organization/admin_api_keys",
      permission: "api.admin_api_keys.write",
      summary: "Creates an admin key with a role of at most your own permissions; returned whole, this once.",
      body: adminApiKeyDraft,
      reply: createdAdminApiKey,
    },
    retrieveAdminApiKey: {
      method: "GET",
      path: "/organization/admin_api_keys/{key_id}",
      permission: "api.admin_api_keys.read",
      summary: "Returns one admin key without its value.",
      reply: adminApiKey,
    },
    deleteAdminApiKey: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/admin_api_keys/{key_id}",
      permission: "api.admin_api_keys.write",
      summary:
        "Revokes an admin key and the sessions opened with it, at once. The last key with Owner and without an expiry can't be revoked.",
      reply: deletedKey,
    },
  },
);
