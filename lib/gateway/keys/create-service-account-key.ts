import { type ChangeRequest, change } from "../changes/change";
import type { Actor } from "../roles/actor";
import { changeScope, type ScopeChange, unlimited } from "./change-scope";
import { DEFAULT_KEY_NAME } from "./create-service-account";
import { findServiceAccount } from "./find-service-account";
import { type CreatedProjectKey, type NewProjectKey, newProjectKey } from "./new-project-key";
import {
  type AccountPath,
  refuseStrongerAccount,
  type ServiceAccountContext,
} from "./service-account-context";

type AccountKeyDraft = Pick<NewProjectKey, "lifetimeSeconds" | "creator"> & {
  name?: string | undefined;
  scope: ScopeChange;
};

/**
 * Creates another key of a service account.
 * @throws Refusal 404, 400 for an unknown model, 403 for an account with more permissions than the actor.
 */
export function createServiceAccountKey(
  context: ServiceAccountContext,
  request: ChangeRequest,
  actor: Actor,
  { projectId, id }: AccountPath,
  { name = DEFAULT_KEY_NAME, scope, ...draft }: AccountKeyDraft,
): Promise<CreatedProjectKey> {
  return change(context, request, async (transaction) => {
    const serviceAccount = await findServiceAccount(context.serviceAccounts, projectId, id);
    refuseStrongerAccount(context.graph, actor, serviceAccount.role, projectId);
    const key = newProjectKey(context.effects, {
      ...draft,
      projectId,
      serviceAccount,
      name,
      scope: changeScope(unlimited, scope, context.catalogue),
    });
    await context.keys.insertProjectKey(transaction, key.key);
    return key;
  });
}
