import type { ProjectApiKey } from "@/lib/contract/operations/project-api-keys";
import { projectMemberRole } from "@/lib/contract/predefined-roles";
import { roleIdOf } from "@/lib/contract/role-words";
import { redactKey } from "@/lib/contract/secret-keys";
import type { Caller } from "../auth/caller";
import { changeProjectKey } from "../keys/change-project-key";
import { createProjectKey } from "../keys/create-project-key";
import { deleteProjectKey } from "../keys/delete-project-key";
import type { KeyStore, ProjectKeyRecord, Used } from "../keys/key-store";
import type { Keyring } from "../keys/keyring";
import type { Effects } from "../ports/effects";
import type { OneAtATime } from "../ports/one-at-a-time";
import { listInMemory } from "../ports/paged-list";
import { notFound } from "../ports/refusal";
import { findActiveProject, findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import type { AccessGraph } from "../roles/access-graph";
import { refuseExcess } from "../roles/change-access";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toNullableUnixSeconds, toUnixSeconds } from "./unix-seconds";

type Ids =
  | "listProjectApiKeys"
  | "createProjectApiKey"
  | "retrieveProjectApiKey"
  | "changeProjectApiKey"
  | "deleteProjectApiKey";

export function projectApiKeyRoutes(context: {
  projects: ProjectStore;
  keys: KeyStore;
  keyring: Keyring;
  graph: AccessGraph;
  inTurn: OneAtATime;
  effects: Effects;
}): Handlers<Ids> {
  const findIn = async (projectId: string, id: string) => {
    const key = await context.keys.findProjectKey(id);
    return key?.projectId === projectId ? key : null;
  };
  const findOrRefuse = async (projectId: string, id: string) => {
    const key = await findIn(projectId, id);
    if (!key) throw notFound("key", id, "key_id");
    return key;
  };
  /** Nobody changes what may do more than they. */
  const refuseStronger = (caller: Caller, key: ProjectKeyRecord | null, projectId: string) => {
    const role = roleIdOf(key?.serviceAccount?.role ?? "member", true);
    refuseExcess(caller, context.graph.findRole(role)?.permissions ?? [], projectId);
  };
  return {
    listProjectApiKeys: async ({ params, query }) => {
      // A key is revoked together with its owner, so no key that is left has lost its access.
      const hasNone = query.owner_project_access === "inactive";
      const { id } = await findProject(context.projects, params.project_id);
      const keys = hasNone ? listInMemory<Used<ProjectKeyRecord>>([]) : context.keys.listedOfProject(id);
      return paginate(keys, query, (key) => toProjectApiKey(key, key.lastUsedAtMs));
    },
    createProjectApiKey: async ({ params, body, caller }) => {
      const { key, value } = await context.inTurn(async () => {
        await findActiveProject(context.projects, params.project_id);
        refuseExcess(caller, projectMemberRole.permissions, params.project_id);
        const lifetimeSeconds = body.expires_in_seconds ?? null;
        const draft = {
          projectId: params.project_id,
          serviceAccount: null,
          name: body.name,
          lifetimeSeconds,
        };
        return createProjectKey(context, draft);
      });
      return { ...toProjectApiKey(key, null), value };
    },
    retrieveProjectApiKey: async ({ params }) => {
      const { id } = await findProject(context.projects, params.project_id);
      const key = await findOrRefuse(id, params.key_id);
      return toProjectApiKey(key, key.lastUsedAtMs);
    },
    changeProjectApiKey: ({ params: { project_id: projectId, key_id: id }, body, caller }) =>
      context.inTurn(async () => {
        await findActiveProject(context.projects, projectId);
        const { lastUsedAtMs, ...before } = await findOrRefuse(projectId, id);
        refuseStronger(caller, before, projectId);
        return toProjectApiKey(await changeProjectKey(context, before, body), lastUsedAtMs);
      }),
    deleteProjectApiKey: ({ params: { project_id: projectId, key_id: id }, caller }) =>
      context.inTurn(async () => {
        const key = await findIn(projectId, id);
        refuseStronger(caller, key, projectId);
        await deleteProjectKey(context, projectId, id);
        return { object: "organization.project.api_key.deleted" as const, id, deleted: true as const };
      }),
  };
}

function toProjectApiKey(key: ProjectKeyRecord, lastUsedAtMs: number | null): ProjectApiKey {
  return {
    object: "organization.project.api_key",
    id: key.id,
    name: key.name,
    redacted_value: redactKey("gk_live_", key.lastFour),
    created_at: toUnixSeconds(key.createdAtMs),
    last_used_at: toNullableUnixSeconds(lastUsedAtMs),
    expires_at: toNullableUnixSeconds(key.expiresAtMs),
    owner: { type: "service_account", service_account: ownerOf(key) },
    owner_project_access: "active",
  };
}

/** OpenAI's object wants an owner: a key made for the project itself acts as a member that is the project. */
function ownerOf({ serviceAccount, projectId, name, createdAtMs }: ProjectKeyRecord) {
  const owner = serviceAccount ?? { id: projectId, name, role: "member" as const, createdAtMs };
  return { id: owner.id, name: owner.name, role: owner.role, created_at: toUnixSeconds(owner.createdAtMs) };
}
