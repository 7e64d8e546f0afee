import type { ServiceAccountChange } from "@/lib/contract/operations/service-accounts";
import { findServiceAccount } from "./find-service-account";
import type { ServiceAccountRecord } from "./key-store";
import type { ServiceAccountContext } from "./service-account-context";

/** Changes an account's name or role; its keys act by it from the next call on. @throws Refusal 404. */
export async function changeServiceAccount(
  { serviceAccounts, keyring }: ServiceAccountContext,
  projectId: string,
  id: string,
  change: ServiceAccountChange,
): Promise<ServiceAccountRecord> {
  const before = await findServiceAccount(serviceAccounts, projectId, id);
  const account = { ...before, name: change.name ?? before.name, role: change.role ?? before.role };
  await serviceAccounts.update(account);
  keyring.putServiceAccount(account);
  return account;
}
