import { redactKey } from "@/lib/contract/access/secret-keys";
import type { OrphanedApiKey, ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { listVisibleProjects } from "../../access/authorize";
import { toKeyCreator } from "../../access/caller";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import type { ProjectKeyRecord, WithLastUse } from "../../keys/key-records";
import type { OrphanedKey } from "../../keys/key-store.sql";
import {
  changeProjectKey,
  createProjectKey,
  deleteProjectKey,
  findProjectKey,
  type KeyContext,
  rotateProjectKey,
} from "../../keys/project-keys";
import { listInMemory } from "../../lists/paged-list";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids =
  | "listProjectApiKeys"
  | "createProjectApiKey"
  | "retrieveProjectApiKey"
  | "changeProjectApiKey"
  | "rotateProjectApiKey"
  | "deleteProjectApiKey"
  | "listOrphanedApiKeys";

interface Context extends KeyContext {
  readonly projects: ProjectStore;
}

export function projectApiKeyRoutes(context: Context): Handlers<Ids> {
  const { projects, keys, graph, runtime } = context;
  return {
    listOrphanedApiKeys: ({ query, caller }) => {
      const visible = listVisibleProjects(graph, caller, "api.project_api_keys.read");
      return paginate(keys.orphanedKeyPages(visible, runtime.clock.nowMs()), query, toOrphanedApiKey);
    },
    listProjectApiKeys: async ({ params, query }) => {
      // A key is revoked together with its owner, so every remaining key's owner has access.
      const hasNone = query.owner_project_access === "inactive";
      const { id } = await findProject(projects, params.project_id);
      const keyPages = hasNone ? listInMemory<WithLastUse<ProjectKeyRecord>>([]) : keys.projectKeyPages(id);
      return paginate(keyPages, query, (key) => toProjectApiKey(key, key.lastUsedAtMs));
    },
    createProjectApiKey: async ({ params, body, caller, request }) => {
      const lifetimeSeconds = body.expires_in_seconds ?? null;
      const { name, expires_in_seconds: _, ...scope } = body;
      const draft = {
        projectId: params.project_id,
        name,
        lifetimeSeconds,
        scope,
        creator: toKeyCreator(caller),
      };
      const { key, value } = await createProjectKey(context, request, caller, draft);
      return { ...toProjectApiKey(key, null), value };
    },
    retrieveProjectApiKey: async ({ params }) => {
      const { id: projectId } = await findProject(projects, params.project_id);
      const key = await findProjectKey(keys, { projectId, id: params.key_id });
      return toProjectApiKey(key, key.lastUsedAtMs);
    },
    changeProjectApiKey: async ({ params, body, caller, request }) => {
      const keyPath = { projectId: params.project_id, id: params.key_id };
      const key = await changeProjectKey(context, request, caller, keyPath, body);
      return toProjectApiKey(key, key.lastUsedAtMs);
    },
    rotateProjectApiKey: async ({ params, body, caller, request }) => {
      const keyPath = { projectId: params.project_id, id: params.key_id };
      const rotation = { overlapSeconds: body.overlap_seconds, creator: toKeyCreator(caller) };
      const { key, value } = await rotateProjectKey(context, request, caller, keyPath, rotation);
      return { ...toProjectApiKey(key, null), value };
    },
    deleteProjectApiKey: async ({ params: { project_id: projectId, key_id: id }, caller, request }) => {
      await deleteProjectKey(context, request, caller, { projectId, id });
      return { object: "organization.project.api_key.deleted", id, deleted: true };
    },
  };
}

function toOrphanedApiKey({ makerLeftAtMs, isMakerRemoved, ...key }: OrphanedKey): OrphanedApiKey {
  return {
    ...toProjectApiKey(key, key.lastUsedAtMs),
    project_id: key.projectId,
    maker_left: { at: toUnixSeconds(makerLeftAtMs), how: isMakerRemoved ? "removed" : "deactivated" },
  };
}

export function toProjectApiKey(key: ProjectKeyRecord, lastUsedAtMs: number | null): ProjectApiKey {
  return {
    object: "organization.project.api_key",
    id: key.id,
    name: key.name,
    redacted_value: redactKey("gk_live_", key.lastFour),
    created_at: toUnixSeconds(key.createdAtMs),
    last_used_at: toNullableUnixSeconds(lastUsedAtMs),
    expires_at: toNullableUnixSeconds(key.expiresAtMs),
    owner: { type: "service_account", service_account: toOwner(key) },
    owner_project_access: "active",
    models: key.scope.models && [...key.scope.models],
    endpoints: key.scope.endpoints && [...key.scope.endpoints],
    created_by: key.creator && { type: key.creator.kind, id: key.creator.id, name: key.creator.name },
    rotated_from: key.rotatedFrom,
  };
}

/**
 * OpenAI's schema requires an owner, so a key of the project itself is owned by a placeholder member that stands for
 * the project.
 */
function toOwner({ serviceAccount, projectId, name, createdAtMs }: ProjectKeyRecord) {
  const owner = serviceAccount ?? { id: projectId, name, role: "member" as const, createdAtMs };
  return { id: owner.id, name: owner.name, role: owner.role, created_at: toUnixSeconds(owner.createdAtMs) };
}
