import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import {
  displayName,
  lifetimeSeconds,
  notSupported,
  pageSchema,
  searchedOrderedPageQuery,
  unixSeconds,
} from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { keyScopeShape } from "./project-api-keys";

/** A service account's role in its project: Project owner, Project member, or none. */
export const serviceAccountRole = z.enum(["owner", "member", "none"]);
export type ServiceAccountRole = z.output<typeof serviceAccountRole>;

/** Follows OpenAI's `organization.project.service_account`. */
const serviceAccount = withVersion(
  z.object({
    object: z.literal("organization.project.service_account"),
    id: z.string(),
    name: z.string(),
    role: serviceAccountRole,
    created_at: unixSeconds,
  }),
);
export type ServiceAccount = z.output<typeof serviceAccount>;

/** A new key of a service account: the only time the whole key is shown. */
const createdServiceAccountKey = z.object({
  object: z.literal("organization.project.service_account.api_key"),
  id: z.string(),
  name: z.string(),
  value: z.string(),
  created_at: unixSeconds,
  expires_at: z.nullable(unixSeconds),
});
export type CreatedServiceAccountKey = z.output<typeof createdServiceAccountKey>;

const serviceAccountDraft = z
  .strictObject({
    name: displayName,
    /** Creates the account without a role and a key. */
    create_service_account_only: z.optional(z.nullable(z.boolean())),
    expires_in_seconds: z.optional(z.nullable(lifetimeSeconds)),
    ...keyScopeShape,
  })
  .check(
    ...(["expires_in_seconds", "models", "endpoints"] as const).map((field) =>
      z.refine<Readonly<Record<string, unknown>>>(
        (draft) => !(draft["create_service_account_only"] && draft[field]),
        { path: [field], message: "must be absent where create_service_account_only makes no key" },
      ),
    ),
  );
export type ServiceAccountDraft = z.output<typeof serviceAccountDraft>;

export const serviceAccountChange = z.strictObject({
  name: z.optional(displayName),
  role: z.optional(z.enum(["owner", "member"])),
});
export type ServiceAccountChange = z.output<typeof serviceAccountChange>;

const serviceAccountKeyDraft = z.strictObject({
  name: z.optional(displayName),
  expires_in_seconds: z.optional(z.nullable(lifetimeSeconds)),
  ...keyScopeShape,
  /** A key may do what its account's role allows; `models` and `endpoints` restrict it further. */
  scopes: notSupported,
});

const deletedAccount = z.object({
  object: z.literal("organization.project.service_account.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const serviceAccountOperations = defineOperations(
  { surface: "v1 and origin", scope: "project" },
  {
    listServiceAccounts: {
      method: "GET",
      path: "/organization/projects/{project_id}/service_accounts",
      permission: "api.service_accounts.read",
      summary: "Lists a project's service accounts, oldest first.",
      query: searchedOrderedPageQuery,
      reply: pageSchema(serviceAccount),
    },
    createServiceAccount: {
      method: "POST",
      effect: "creates",
      path: "/organization/projects/{project_id}/service_accounts",
      permission: "api.service_accounts.write",
      summary: "Creates a service account with its key, returned whole this once.",
      body: serviceAccountDraft,
      reply: z.extend(serviceAccount, { api_key: markUnversioned(z.nullable(createdServiceAccountKey)) }),
    },
    retrieveServiceAccount: {
      method: "GET",
      path: "/organization/projects/{project_id}/service_accounts/{service_account_id}",
      permission: "api.service_accounts.read",
      summary: "Returns one service account.",
      reply: serviceAccount,
    },
    changeServiceAccount: {
      method: "POST",
      effect: "edits",
      path: "/organization/projects/{project_id}/service_accounts/{service_account_id}",
      permission: "api.service_accounts.write",
      summary: "Changes a service account's name or role. Its keys hold the new role from the next call on.",
      body: serviceAccountChange,
      reply: serviceAccount,
    },
    deleteServiceAccount: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/projects/{project_id}/service_accounts/{service_account_id}",
      permission: "api.service_accounts.write",
      summary: "Deletes a service account and revokes its keys at once. Past usage stays.",
      reply: deletedAccount,
    },
    createServiceAccountKey: {
      method: "POST",
      effect: "creates",
      path: "/organization/projects/{project_id}/service_accounts/{service_account_id}/api_keys",
      permission: "api.service_accounts.write",
      summary: "Creates a further key for a service account and returns it whole, this once.",
      body: serviceAccountKeyDraft,
      reply: createdServiceAccountKey,
    },
  },
);
