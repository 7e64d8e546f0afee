import { findServiceAccount } from "./find-service-account";
import type { ServiceAccountContext } from "./service-account-context";

/** Deletes an account: from this moment no call is answered with its keys. @throws Refusal 404. */
export async function deleteServiceAccount(
  { serviceAccounts, keyring, effects }: ServiceAccountContext,
  projectId: string,
  id: string,
): Promise<void> {
  await findServiceAccount(serviceAccounts, projectId, id);
  for (const hash of await serviceAccounts.delete(id, effects.clock.nowMs())) keyring.remove(hash);
}
