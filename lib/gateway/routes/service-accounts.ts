import type {
  CreatedServiceAccountKey,
  ServiceAccount,
  ServiceAccountRole,
} from "@/lib/contract/operations/service-accounts";
import { roleIdOf } from "@/lib/contract/role-words";
import { changeServiceAccount } from "../keys/change-service-account";
import { createProjectKey } from "../keys/create-project-key";
import { createServiceAccount, USUAL_KEY_NAME } from "../keys/create-service-account";
import { deleteServiceAccount } from "../keys/delete-service-account";
import { findServiceAccount } from "../keys/find-service-account";
import type { KeyStore, ProjectKeyRecord, ServiceAccountRecord } from "../keys/key-store";
import type { ServiceAccountContext } from "../keys/service-account-context";
import type { OneAtATime } from "../ports/one-at-a-time";
import { findActiveProject, findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import type { AccessGraph } from "../roles/access-graph";
import { refuseExcess } from "../roles/change-access";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toNullableUnixSeconds, toUnixSeconds } from "./unix-seconds";

type Ids =
  | "listServiceAccounts"
  | "createServiceAccount"
  | "retrieveServiceAccount"
  | "changeServiceAccount"
  | "deleteServiceAccount"
  | "createServiceAccountKey";

interface Context extends ServiceAccountContext {
  readonly projects: ProjectStore;
  readonly keys: KeyStore;
  readonly graph: AccessGraph;
  readonly inTurn: OneAtATime;
}

export function serviceAccountRoutes(context: Context): Handlers<Ids> {
  const { projects, serviceAccounts, graph, inTurn } = context;
  const permissionsOf = (role: ServiceAccountRole) =>
    graph.permissionsOf({ kind: "role", id: roleIdOf(role, true) }, null);
  /** Changes one project's accounts, while it is there and not archived. */
  const change = <Result>(projectId: string, work: () => Promise<Result>) =>
    inTurn(async () => {
      await findActiveProject(projects, projectId);
      return work();
    });
  return {
    listServiceAccounts: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      return paginate(serviceAccounts.listedOfProject(id), query, toServiceAccount);
    },
    createServiceAccount: ({ params: { project_id }, body, caller }) =>
      change(project_id, async () => {
        const role = body.create_service_account_only ? "none" : "member";
        refuseExcess(caller, permissionsOf(role), project_id);
        const { account, created } = await createServiceAccount(context, project_id, body);
        return { ...toServiceAccount(account), api_key: created && toCreatedKey(created) };
      }),
    retrieveServiceAccount: async ({ params }) => {
      const { id } = await findProject(projects, params.project_id);
      return toServiceAccount(await findServiceAccount(serviceAccounts, id, params.service_account_id));
    },
    changeServiceAccount: ({ params: { project_id, service_account_id: id }, body, caller }) =>
      change(project_id, async () => {
        const { role } = await findServiceAccount(serviceAccounts, project_id, id);
        for (const given of body.role ? [role, body.role] : []) {
          refuseExcess(caller, permissionsOf(given), project_id);
        }
        return toServiceAccount(await changeServiceAccount(context, project_id, id, body));
      }),
    deleteServiceAccount: ({ params: { project_id, service_account_id: id }, caller }) =>
      change(project_id, async () => {
        const { role } = await findServiceAccount(serviceAccounts, project_id, id);
        refuseExcess(caller, permissionsOf(role), project_id);
        await deleteServiceAccount(context, project_id, id);
        return {
          object: "organization.project.service_account.deleted" as const,
          id,
          deleted: true as const,
        };
      }),
    createServiceAccountKey: ({ params: { project_id: projectId, service_account_id }, body, caller }) =>
      change(projectId, async () => {
        const serviceAccount = await findServiceAccount(serviceAccounts, projectId, service_account_id);
        refuseExcess(caller, permissionsOf(serviceAccount.role), projectId);
        const { name = USUAL_KEY_NAME, expires_in_seconds: lifetimeSeconds = null } = body;
        return toCreatedKey(
          await createProjectKey(context, { projectId, serviceAccount, name, lifetimeSeconds }),
        );
      }),
  };
}

function toServiceAccount({ id, name, role, createdAtMs }: ServiceAccountRecord): ServiceAccount {
  const created_at = toUnixSeconds(createdAtMs);
  return { object: "organization.project.service_account", id, name, role, created_at };
}

function toCreatedKey({ key, value }: { key: ProjectKeyRecord; value: string }): CreatedServiceAccountKey {
  return {
    object: "organization.project.service_account.api_key",
    id: key.id,
    name: key.name,
    value,
    created_at: toUnixSeconds(key.createdAtMs),
    expires_at: toNullableUnixSeconds(key.expiresAtMs),
  };
}
