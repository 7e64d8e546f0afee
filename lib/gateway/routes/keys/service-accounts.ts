import type {
  CreatedServiceAccountKey,
  ServiceAccount,
} from "@/lib/contract/operations/keys/service-accounts";
import { toKeyCreator } from "../../access/caller";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import type { ServiceAccountRecord } from "../../keys/key-records";
import type { CreatedProjectKey } from "../../keys/project-keys";
import {
  changeServiceAccount,
  createServiceAccount,
  createServiceAccountKey,
  deleteServiceAccount,
  findServiceAccount,
  type ServiceAccountContext,
} from "../../keys/service-accounts";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids =
  | "listServiceAccounts"
  | "createServiceAccount"
  | "retrieveServiceAccount"
  | "changeServiceAccount"
  | "deleteServiceAccount"
  | "createServiceAccountKey";

interface Context extends ServiceAccountContext {
  readonly projects: ProjectStore;
}

export function serviceAccountRoutes(context: Context): Handlers<Ids> {
  const { projects, serviceAccounts } = context;
  const toAccountPath = (params: { project_id: string; service_account_id: string }) => ({
    projectId: params.project_id,
    id: params.service_account_id,
  });
  return {
    listServiceAccounts: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      return paginate(serviceAccounts.pages(id), query, toServiceAccount);
    },
    createServiceAccount: async ({ params, body, caller, request }) => {
      const { account, created } = await createServiceAccount(context, request, caller, params.project_id, {
        ...body,
        creator: toKeyCreator(caller),
      });
      return { ...toServiceAccount(account), api_key: created && toCreatedKey(created) };
    },
    retrieveServiceAccount: async ({ params }) => {
      const { id } = await findProject(projects, params.project_id);
      return toServiceAccount(await findServiceAccount(serviceAccounts, id, params.service_account_id));
    },
    changeServiceAccount: async ({ params, body, caller, request }) =>
      toServiceAccount(await changeServiceAccount(context, request, caller, toAccountPath(params), body)),
    deleteServiceAccount: async ({ params, caller, request }) => {
      await deleteServiceAccount(context, request, caller, toAccountPath(params));
      const id = params.service_account_id;
      return { object: "organization.project.service_account.deleted", id, deleted: true };
    },
    createServiceAccountKey: async ({ params, body, caller, request }) => {
      const { name, expires_in_seconds: lifetimeSeconds = null, scopes: _, ...scope } = body;
      const draft = { name, lifetimeSeconds, scope, creator: toKeyCreator(caller) };
      return toCreatedKey(
        await createServiceAccountKey(context, request, caller, toAccountPath(params), draft),
      );
    },
  };
}

function toServiceAccount({ id, name, role, createdAtMs }: ServiceAccountRecord): ServiceAccount {
  const created_at = toUnixSeconds(createdAtMs);
  return { object: "organization.project.service_account", id, name, role, created_at };
}

function toCreatedKey({ key, value }: CreatedProjectKey): CreatedServiceAccountKey {
  return {
    object: "organization.project.service_account.api_key",
    id: key.id,
    name: key.name,
    value,
    created_at: toUnixSeconds(key.createdAtMs),
    expires_at: toNullableUnixSeconds(key.expiresAtMs),
  };
}
