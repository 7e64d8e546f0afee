import type { FoundApiKey } from "@/lib/contract/operations/keys/key-changes";
import type { ClockAndRandom } from "../../clock";
import type { KeyStore } from "../../keys/key-store.sql";
import { findByValue } from "../../keys/project-keys";
import type { ProjectCache } from "../../projects/projects";
import { Refusal } from "../../refusal";
import type { Handlers } from "../handler";
import { toAdminApiKey } from "./admin-api-keys";
import { toProjectApiKey } from "./project-api-keys";

interface Context {
  readonly keys: Pick<KeyStore, "findByHash">;
  readonly projectCache: Pick<ProjectCache, "find">;
  readonly runtime: ClockAndRandom;
}

export function foundApiKeyRoutes({ keys, projectCache, runtime }: Context): Handlers<"findApiKey"> {
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
