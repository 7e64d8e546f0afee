import { DAY_MS } from "@/lib/contract/durations";
import type { KeyChangesPreview } from "@/lib/contract/operations/keys/key-changes";
import { isModelInScope } from "../../access/authorize";
import { REVIEWED_DAYS, type ReviewContext, sumCallsByModel } from "../../access-reviews/refused-by-change";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import { changeProjectKeys, type PlannedKey, planKeyChanges } from "../../keys/change-keys";
import type { KeyContext } from "../../keys/project-keys";
import type { Handlers } from "../handler";

type Ids = "changeProjectApiKeys" | "previewProjectApiKeyChanges";

export function keyChangesRoutes(
  context: KeyContext & Pick<ReviewContext, "usage" | "runtime">,
): Handlers<Ids> {
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
