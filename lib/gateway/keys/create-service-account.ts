import { newId } from "@/lib/contract/ids";
import type { ServiceAccountDraft } from "@/lib/contract/operations/keys/service-accounts";
import { type ChangeRequest, change } from "../changes/change";
import type { Actor } from "../roles/actor";
import { changeScope, unlimited } from "./change-scope";
import type { KeyCreator, ServiceAccountRecord } from "./key-store";
import { type CreatedProjectKey, newProjectKey } from "./new-project-key";
import { refuseStrongerAccount, type ServiceAccountContext } from "./service-account-context";

/** OpenAI's default name for a service account's key. */
export const DEFAULT_KEY_NAME = "Secret Key";

/**
 * Creates a service account: a project member with a key, or without role and key if only the account is requested.
 * @throws Refusal 400 for an unknown model; 403 if it would have more permissions than the actor.
 */
export function createServiceAccount(
  context: ServiceAccountContext,
  request: ChangeRequest,
  actor: Actor,
  projectId: string,
  { creator, ...draft }: ServiceAccountDraft & { creator: KeyCreator },
): Promise<{ account: ServiceAccountRecord; created: CreatedProjectKey | null }> {
  const { serviceAccounts, graph, effects, catalogue } = context;
  return change(context, request, async (transaction) => {
    const createdAtMs = effects.clock.nowMs();
    const isBare = draft.create_service_account_only === true;
    const account: ServiceAccountRecord = {
      id: newId("svc_acct", createdAtMs, effects.random),
      projectId,
      name: draft.name,
      role: isBare ? "none" : "member",
      createdAtMs,
    };
    refuseStrongerAccount(graph, actor, account.role, projectId);
    const lifetimeSeconds = draft.expires_in_seconds ?? null;
    const keyDraft = {
      projectId,
      serviceAccount: account,
      name: DEFAULT_KEY_NAME,
      lifetimeSeconds,
      creator,
      scope: changeScope(unlimited, draft, catalogue),
    };
    const key = isBare ? null : newProjectKey(effects, keyDraft);
    await serviceAccounts.insert(transaction, account, key?.key ?? null);
    return { account, created: key };
  });
}
