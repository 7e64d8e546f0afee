import { notFound } from "../refusal";
import type { ServiceAccountRecord } from "./key-store";
import type { ServiceAccountStore } from "./service-account-store";

/** @throws Refusal 404 when the project has no such service account. */
export async function findServiceAccount(
  serviceAccounts: ServiceAccountStore,
  projectId: string,
  id: string,
): Promise<ServiceAccountRecord> {
  const account = await serviceAccounts.find(projectId, id);
  if (!account) throw notFound("service account", id, "service_account_id");
  return account;
}
