import type { ServiceAccountChange } from "@/lib/contract/operations/service-accounts";
import { type ChangeRequest, change } from "../changes/change";
import type { Actor } from "../roles/actor";
import { findServiceAccount } from "./find-service-account";
import type { ServiceAccountRecord } from "./key-store";
import {
  type AccountPlace,
  refuseStrongerAccount,
  type ServiceAccountContext,
} from "./service-account-context";

/**
 * Changes an account's name or role; its keys follow from the next call on.
 * @throws Refusal 404; 403 where its present or new role has more permissions than the actor.
 */
export function changeServiceAccount(
  context: ServiceAccountContext,
  request: ChangeRequest,
  actor: Actor,
  { projectId, id }: AccountPlace,
  draft: ServiceAccountChange,
): Promise<ServiceAccountRecord> {
  const { serviceAccounts, graph } = context;
  return change(context, request, async (transaction) => {
    const before = await findServiceAccount(serviceAccounts, projectId, id);
    for (const role of draft.role ? [before.role, draft.role] : []) {
      refuseStrongerAccount(graph, actor, role, projectId);
    }
    const account = { ...before, name: draft.name ?? before.name, role: draft.role ?? before.role };
    await serviceAccounts.update(transaction, account);
    return account;
  });
}
