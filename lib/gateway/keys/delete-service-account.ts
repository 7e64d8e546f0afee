import { type ChangeRequest, change } from "../changes/change";
import type { Actor } from "../roles/actor";
import { findServiceAccount } from "./find-service-account";
import {
  type AccountPath,
  refuseStrongerAccount,
  type ServiceAccountContext,
} from "./service-account-context";

/** Deletes an account and revokes its keys, with immediate effect. @throws Refusal 404, 403. */
export function deleteServiceAccount(
  context: ServiceAccountContext,
  request: ChangeRequest,
  actor: Actor,
  { projectId, id }: AccountPath,
): Promise<void> {
  const { serviceAccounts, graph, effects } = context;
  return change(context, request, async (transaction) => {
    const { role } = await findServiceAccount(serviceAccounts, projectId, id);
    refuseStrongerAccount(graph, actor, role, projectId);
    await serviceAccounts.delete(transaction, id, effects.clock.nowMs());
  });
}
