import type { ServiceAccountChange } from "@/lib/contract/operations/keys/service-accounts";
import { type ChangeRequest, change } from "../changes/change";
import type { Actor } from "../roles/actor";
import { findServiceAccount } from "./find-service-account";
import type { ServiceAccountRecord } from "./key-store";
import {
  type AccountPath,
  refuseStrongerAccount,
  type ServiceAccountContext,
} from "./service-account-context";

/**
 * Changes an account's name or role; its keys follow from the next call on.
 * @throws Refusal 404; 403 if its present or new role has more permissions than the actor.
 */
export function changeServiceAccount(
  context: ServiceAccountContext,
  request: ChangeRequest,
  actor: Actor,
  { projectId, id }: AccountPath,
  draft: ServiceAccountChange,
): Promise<ServiceAccountRecord> {
  const { serviceAccounts, graph } = context;
  return change(context, request, async (transaction) => {
    const accountBefore = await findServiceAccount(serviceAccounts, projectId, id);
    const account = {
      ...accountBefore,
      name: draft.name ?? accountBefore.name,
      role: draft.role ?? accountBefore.role,
    };
    for (const { role } of [accountBefore, account]) refuseStrongerAccount(graph, actor, role, projectId);
    await serviceAccounts.update(transaction, account);
    return account;
  });
}
