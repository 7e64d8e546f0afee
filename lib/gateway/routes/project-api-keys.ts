import type { ProjectApiKey } from "@/lib/contract/operations/project-api-keys";
import { projectMemberRole } from "@/lib/contract/predefined-roles";
import { redactKey } from "@/lib/contract/secret-keys";
import { createProjectKey } from "../keys/create-project-key";
import { deleteProjectKey } from "../keys/delete-project-key";
import type { KeyStore, ProjectKeyRecord } from "../keys/key-store";
import type { Keyring } from "../keys/keyring";
import type { Effects } from "../ports/effects";
import type { OneAtATime } from "../ports/one-at-a-time";
import { notFound } from "../ports/refusal";
import { findActiveProject, findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toUnixSeconds } from "./unix-seconds";

type Ids = "listProjectApiKeys" | "createProjectApiKey" | "retrieveProjectApiKey" | "deleteProjectApiKey";

export function projectApiKeyRoutes(context: {
  projects: ProjectStore;
  keys: KeyStore;
  keyring: Keyring;
  inTurn: OneAtATime;
  effects: Effects;
}): Handlers<Ids> {
  const keysOf = async (projectId: string) => {
    await findProject(context.projects, projectId);
    return context.keys.listOfProject(projectId);
  };
  return {
    listProjectApiKeys: async ({ params, query }) => {
      const keys = await keysOf(params.project_id);
      return paginate(
        keys.map((key) => toProjectApiKey(key, key.lastUsedAtMs)),
        query,
      );
    },
    createProjectApiKey: async ({ params, body }) => {
      const { key, value } = await context.inTurn(async () => {
        await findActiveProject(context.projects, params.project_id);
        return createProjectKey(context, params.project_id, body);
      });
      return { ...toProjectApiKey(key, null), value };
    },
    retrieveProjectApiKey: async ({ params }) => {
      const key = (await keysOf(params.project_id)).find(({ id }) => id === params.key_id);
      if (!key) throw notFound("key", params.key_id, "key_id");
      return toProjectApiKey(key, key.lastUsedAtMs);
    },
    deleteProjectApiKey: async ({ params }) => {
      await deleteProjectKey(context, params.project_id, params.key_id);
      return { object: "organization.project.api_key.deleted", id: params.key_id, deleted: true };
    },
  };
}

/** OpenAI's object wants an owner: a key belongs to its project, which stands here as the service account it acts as. */
function toProjectApiKey(key: ProjectKeyRecord, lastUsedAtMs: number | null): ProjectApiKey {
  const createdAt = toUnixSeconds(key.createdAtMs);
  return {
    object: "organization.project.api_key",
    id: key.id,
    name: key.name,
    redacted_value: redactKey("gk_live_", key.lastFour),
    created_at: createdAt,
    last_used_at: lastUsedAtMs === null ? null : toUnixSeconds(lastUsedAtMs),
    owner: {
      type: "service_account",
      service_account: {
        id: key.projectId,
        name: key.name,
        role: projectMemberRole.id,
        created_at: createdAt,
      },
    },
    owner_project_access: "active",
  };
}
