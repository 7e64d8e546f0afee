import * as z from "zod/mini";
import { keyEndpoints } from "../../access/key-scopes";
import { DAY_S } from "../../durations";
import { defineOperations } from "../../operation";
import {
  displayName,
  lifetimeSeconds,
  notSupported,
  pageSchema,
  searchedPageQuery,
  unixSeconds,
} from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { modelId } from "../models/models";

const owner = z.object({
  type: z.literal("service_account"),
  service_account: z.object({
    id: z.string(),
    name: z.string(),
    role: z.string(),
    created_at: unixSeconds,
  }),
});

/** A key in the form of lists, after OpenAI's `organization.project.api_key`. */
export const projectApiKey = withVersion(
  z.object({
    object: z.literal("organization.project.api_key"),
    id: z.string(),
    name: z.string(),
    redacted_value: z.string(),
    created_at: unixSeconds,
    last_used_at: markUnversioned(z.nullable(unixSeconds)),
    expires_at: z.nullable(unixSeconds),
    owner,
    owner_project_access: z.enum(["active", "inactive"]),
    /** The models that it may call; null for all models of its project. */
    models: z.nullable(z.array(z.string())),
    /** The endpoints that it may call, and nothing else of the API; null for everything that its role allows. */
    endpoints: z.nullable(z.array(z.enum(keyEndpoints))),
    /** The key's creator; null for a key from before creators were recorded. */
    created_by: z.nullable(
      z.object({
        type: z.enum(["user", "admin_api_key", "project_api_key"]),
        id: z.string(),
        name: z.string(),
      }),
    ),
    /** The key that it replaced by rotation. */
    rotated_from: z.nullable(z.string()),
  }),
);
export type ProjectApiKey = z.output<typeof projectApiKey>;

/** The reply of a creation: the only time the whole key is shown, in `value`. */
const createdProjectApiKey = z.extend(projectApiKey, { value: markUnversioned(z.string()) });
export type CreatedProjectApiKey = z.output<typeof createdProjectApiKey>;

/** The scope of a new or changed key. */
export const keyScopeShape = {
  /** Null or absent for all models of its project. */
  models: z.optional(z.nullable(z.array(modelId).check(z.minLength(1), z.maxLength(100)))),
  /** Null or absent for everything that its role allows. */
  endpoints: z.optional(
    z.nullable(z.array(z.enum(keyEndpoints)).check(z.minLength(1), z.maxLength(keyEndpoints.length))),
  ),
};

const projectApiKeyDraft = z.strictObject({
  name: displayName,
  expires_in_seconds: z.optional(z.nullable(lifetimeSeconds)),
  ...keyScopeShape,
});

export const projectApiKeyChange = z.strictObject({
  name: z.optional(displayName),
  /** Counted from the change, not from the key's creation. */
  expires_in_seconds: z.optional(lifetimeSeconds),
  /** What the key may call from the next call on; null removes the limit. */
  ...keyScopeShape,
  /** Lets the key go on although its maker has left: it is no longer listed among the orphaned ones. */
  keep: z.optional(z.literal(true)),
  /** A key may do what its owner's role allows; `models` and `endpoints` restrict it further. */
  scopes: notSupported,
});
export type ProjectApiKeyChange = z.output<typeof projectApiKeyChange>;

const MAX_OVERLAP_S = 30 * DAY_S;

/** How long the old key keeps working beside the new one, in seconds: up to 30 days, 0 for not at all. */
const keyRotation = z.strictObject({
  overlap_seconds: z.int().check(z.minimum(0), z.maximum(MAX_OVERLAP_S)),
});

/** A key that works although the member who made it has left. Whoever may change it decides what becomes of it. */
const orphanedApiKey = z.extend(projectApiKey, {
  project_id: markUnversioned(z.string()),
  maker_left: markUnversioned(
    z.object({
      at: unixSeconds,
      /** Whether the member was deactivated by a directory, and may come back, or was removed. */
      how: z.enum(["deactivated", "removed"]),
    }),
  ),
});
export type OrphanedApiKey = z.output<typeof orphanedApiKey>;

const listQuery = z.extend(searchedPageQuery, {
  /** Keys are revoked when their owner loses access, so `inactive` lists none. */
  owner_project_access: z.optional(z.enum(["active", "inactive", "any"])),
});

const deletedKey = z.object({
  object: z.literal("organization.project.api_key.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const projectApiKeyOperations = defineOperations(
  { surface: "v1 and origin", scope: "project" },
  {
    listProjectApiKeys: {
      method: "GET",
      path: "/organization/projects/{project_id}/api_keys",
      permission: "api.project_api_keys.read",
      summary: "Lists a project's keys, newest first, without their values.",
      query: listQuery,
      reply: pageSchema(projectApiKey),
    },
    createProjectApiKey: {
      method: "POST",
      effect: "creates",
      path: "/organization/projects/{project_id}/api_keys",
      permission: "api.project_api_keys.write",
      summary: "Creates a key and returns it whole, this once.",
      body: projectApiKeyDraft,
      reply: createdProjectApiKey,
    },
    retrieveProjectApiKey: {
      method: "GET",
      path: "/organization/projects/{project_id}/api_keys/{key_id}",
      permission: "api.project_api_keys.read",
      summary: "Returns one key without its value.",
      reply: projectApiKey,
    },
    changeProjectApiKey: {
      method: "POST",
      effect: "edits",
      path: "/organization/projects/{project_id}/api_keys/{key_id}",
      permission: "api.project_api_keys.write",
      summary:
        "Changes a key's name, the models and endpoints that it may call, or when it expires. One that has expired stays as it is.",
      body: projectApiKeyChange,
      reply: projectApiKey,
    },
    rotateProjectApiKey: {
      method: "POST",
      effect: "creates",
      path: "/organization/projects/{project_id}/api_keys/{key_id}/rotate",
      permission: "api.project_api_keys.write",
      summary:
        "Creates a key like this one and returns it whole, this once; the old one still works for as long as `overlap_seconds` says.",
      body: keyRotation,
      reply: createdProjectApiKey,
    },
    deleteProjectApiKey: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/projects/{project_id}/api_keys/{key_id}",
      permission: "api.project_api_keys.write",
      summary: "Revokes a key at once. Past usage stays.",
      reply: deletedKey,
    },
  },
);

export const orphanedApiKeyOperations = defineOperations(
  { surface: "v1 and origin", scope: "any project" },
  {
    listOrphanedApiKeys: {
      method: "GET",
      path: "/organization/orphaned_api_keys",
      permission: "api.project_api_keys.read",
      summary:
        "Lists the keys that work although the member who made them was deactivated or removed, newest first, until each is kept or revoked.",
      query: searchedPageQuery,
      reply: pageSchema(orphanedApiKey),
    },
  },
);
