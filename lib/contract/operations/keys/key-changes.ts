import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { lifetimeSeconds, secretText, unixSeconds } from "../../schema";
import { adminApiKey } from "./admin-api-keys";
import { keyScopeShape, projectApiKey } from "./project-api-keys";

/** A key that was found somewhere, and its state. */
const foundApiKey = z.object({
  object: z.literal("organization.found_api_key"),
  /** `active` keys still work; the others are refused. */
  status: z.enum(["active", "expired", "revoked"]),
  project_api_key: z.nullable(projectApiKey),
  /** Null for an admin key. */
  project: z.nullable(z.object({ id: z.string(), name: z.string() })),
  admin_api_key: z.nullable(adminApiKey),
});
export type FoundApiKey = z.output<typeof foundApiKey>;

export const foundApiKeyOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.project_api_keys.read" },
  {
    findApiKey: {
      method: "POST",
      effect: "acts",
      path: "/organization/find_api_key",
      summary:
        "Says whose a key is that was found somewhere, by the whole key; an admin key needs api.admin_api_keys.read.",
      body: z.strictObject({ value: secretText }),
      reply: foundApiKey,
    },
  },
);

/** What is done to every named key. */
const keyAction = z.discriminatedUnion("type", [
  /** Counted from the change. */
  z.strictObject({ type: z.literal("expire"), expires_in_seconds: lifetimeSeconds }),
  /** Absent fields stay as each key has them; null removes the limit. */
  z.strictObject({ type: z.literal("set_scope"), ...keyScopeShape }).check(
    z.refine(({ models, endpoints }) => models !== undefined || endpoints !== undefined, {
      message: "must set models or endpoints",
    }),
  ),
  z.strictObject({ type: z.literal("revoke") }),
]);
export type KeyAction = z.output<typeof keyAction>;

export const keyChanges = z.strictObject({
  key_ids: z
    .array(z.string().check(z.minLength(1)))
    .check(z.minLength(1, "must name at least one key"), z.maxLength(1000, "must name at most 1,000 keys")),
  action: keyAction,
});
export type KeyChanges = z.output<typeof keyChanges>;

const changedKey = {
  id: z.string(),
  name: z.string(),
  /** False for a key that is so already. */
  is_changed: z.boolean(),
};

const keyChangesPreview = z.object({
  object: z.literal("key_changes.preview"),
  days: z.int(),
  since: unixSeconds,
  keys: z.array(
    z.object({
      ...changedKey,
      last_used_at: z.nullable(unixSeconds),
      /** Its calls of models in these days; null if the caller may not see them. */
      calls: z.nullable(z.int()),
      /**
       * Those of them that the change would have refused: all of a revoked key, and calls of models beyond its scope.
       * Which endpoints were called isn't summed, so endpoints refuse none here. Null if the caller may not see calls.
       */
      refused_calls: z.nullable(z.int()),
    }),
  ),
  /** Why the change would be refused, and because of which key; null if it wouldn't. */
  refusal: z.nullable(z.object({ code: z.string(), message: z.string(), key_id: z.string() })),
});
export type KeyChangesPreview = z.output<typeof keyChangesPreview>;

export const keyChangesOperations = defineOperations(
  { surface: "v1 and origin", scope: "project", permission: "api.project_api_keys.write" },
  {
    changeProjectApiKeys: {
      method: "POST",
      effect: "acts",
      path: "/organization/projects/{project_id}/api_key_changes",
      summary:
        "Changes up to 1,000 keys of a project, all or none: limits them, lets them expire or revokes them.",
      body: keyChanges,
      reply: z.object({ object: z.literal("key_changes"), keys: z.array(z.object(changedKey)) }),
    },
    previewProjectApiKeyChanges: {
      method: "POST",
      effect: "acts",
      path: "/organization/projects/{project_id}/api_key_changes/preview",
      summary:
        "Says what a change of many keys would do to each, and which of its calls of the last days it would have refused. Changes nothing.",
      body: keyChanges,
      reply: keyChangesPreview,
    },
  },
);
