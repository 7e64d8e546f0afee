import { redactKey } from "@/lib/contract/access/secret-keys";
import { DAY_MS } from "@/lib/contract/durations";
import type { FoundApiKey, KeyChangesPreview } from "@/lib/contract/operations/keys/key-changes";
import type { OrphanedApiKey, ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { isModelInScope, listVisibleProjects } from "../../access/authorize";
import { toKeyCreator } from "../../access/caller";
import { REVIEWED_DAYS, type ReviewContext, sumCallsByModel } from "../../access-reviews/refused-by-change";
import { type ClockAndRandom, toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import type { ProjectKeyRecord, WithLastUse } from "../../keys/key-records";
import type { KeyStore, OrphanedKey } from "../../keys/key-store.sql";
import {
  changeProjectKey,
  changeProjectKeys,
  createProjectKey,
  deleteProjectKey,
  findByValue,
  findProjectKey,
  type KeyContext,
  type PlannedKey,
  planKeyChanges,
  rotateProjectKey,
} from "../../keys/project-keys";
import { listInMemory } from "../../lists/paged-list";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject, type ProjectCache } from "../../projects/projects";
import { Refusal } from "../../refusal";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { toAdminApiKey } from "./admin-api-keys";

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

function toProjectApiKey(key: ProjectKeyRecord, lastUsedAtMs: number | null): ProjectApiKey {
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

type KeyChangesIds = "changeProjectApiKeys" | "previewProjectApiKeyChanges";

export function keyChangesRoutes(
  context: KeyContext & Pick<ReviewContext, "usage" | "runtime">,
): Handlers<KeyChangesIds> {
  return {
    changeProjectApiKeys: async ({ params: { project_id: projectId }, body, caller, request }) => ({
      object: "key_changes",
      keys: (await changeProjectKeys(context, request, caller, projectId, body)).map(describeKey),
    }),
    previewProjectApiKeyChanges: async ({ params: { project_id: projectId }, body, caller }) => {
      const { keys, refusal } = await planKeyChanges(context, caller, projectId, body);
      const ids = keys.map(({ before }) => before.id);
      const seesCalls = caller.permissionsIn(projectId).has("api.requests.read");
      const calls = seesCalls ? await sumCallsByModel(context, ids) : null;
      return {
        object: "key_changes.preview",
        days: REVIEWED_DAYS,
        since: toUnixSeconds(context.runtime.clock.nowMs() - REVIEWED_DAYS * DAY_MS),
        keys: keys.map((key) => ({
          ...describeKey(key),
          last_used_at: toNullableUnixSeconds(key.before.lastUsedAtMs),
          ...countCalls(key, calls),
        })),
        refusal: refusal && {
          code: refusal.error.code,
          message: refusal.error.message,
          key_id: refusal.keyId,
        },
      };
    },
  };
}

function describeKey({ before: { id, name }, isChanged }: PlannedKey) {
  return { id, name, is_changed: isChanged };
}

function countCalls(
  { before, after }: PlannedKey,
  byKey: Awaited<ReturnType<typeof sumCallsByModel>> | null,
): Pick<KeyChangesPreview["keys"][number], "calls" | "refused_calls"> {
  if (!byKey) return { calls: null, refused_calls: null };
  let calls = 0;
  let refused = 0;
  for (const [model, count] of byKey.get(before.id) ?? []) {
    calls += count;
    if (after === null || !isModelInScope(after.scope, model)) refused += count;
  }
  return { calls, refused_calls: refused };
}

interface FoundApiKeysContext {
  readonly keys: Pick<KeyStore, "findByHash">;
  readonly projectCache: Pick<ProjectCache, "find">;
  readonly runtime: ClockAndRandom;
}

export function foundApiKeyRoutes({
  keys,
  projectCache,
  runtime,
}: FoundApiKeysContext): Handlers<"findApiKey"> {
  return {
    findApiKey: async ({ body, caller }): Promise<FoundApiKey> => {
      const answer = await findByValue(keys, body.value, runtime.clock.nowMs());
      const mayRead =
        answer?.found.kind === "project_key" || caller.permissions.has("api.admin_api_keys.read");
      // No reply contains the text that was sent, since a mistyped key is almost a key.
      if (!answer || !mayRead) {
        const message = "No key of this organization has this value. Send the whole key, as it was shown.";
        throw new Refusal(404, "not_found_error", "object_not_found", message, { param: "value" });
      }
      const { found: match, status } = answer;
      const object = "organization.found_api_key";
      if (match.kind === "admin_key") {
        const key = toAdminApiKey(match.key, match.key.lastUsedAtMs);
        return { object, status, project_api_key: null, project: null, admin_api_key: key };
      }
      const { projectId } = match.key;
      return {
        object,
        status,
        project_api_key: toProjectApiKey(match.key, match.key.lastUsedAtMs),
        project: { id: projectId, name: projectCache.find(projectId)?.name ?? projectId },
        admin_api_key: null,
      };
    },
  };
}
