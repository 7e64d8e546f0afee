import { newId } from "@/lib/contract/ids";
import type { ServiceAccountDraft } from "@/lib/contract/operations/service-accounts";
import type { ProjectKeyRecord, ServiceAccountRecord } from "./key-store";
import { newProjectKey } from "./new-project-key";
import type { ServiceAccountContext } from "./service-account-context";

/** What OpenAI names a service account's key, unless it is given a name. */
export const USUAL_KEY_NAME = "Secret Key";

/** Creates a service account: a project member with a key, or one without role and key if only the account is wanted. */
export async function createServiceAccount(
  { serviceAccounts, keyring, effects }: ServiceAccountContext,
  projectId: string,
  draft: ServiceAccountDraft,
): Promise<{ account: ServiceAccountRecord; created: { key: ProjectKeyRecord; value: string } | null }> {
  const createdAtMs = effects.clock.nowMs();
  const isBare = draft.create_service_account_only === true;
  const account: ServiceAccountRecord = {
    id: newId("svc_acct", createdAtMs, effects.random),
    projectId,
    name: draft.name,
    role: isBare ? "none" : "member",
    createdAtMs,
  };
  const lifetimeSeconds = draft.expires_in_seconds ?? null;
  const keyDraft = { projectId, serviceAccount: account, name: USUAL_KEY_NAME, lifetimeSeconds };
  const created = isBare ? null : newProjectKey(effects, keyDraft);
  await serviceAccounts.insert(account, created?.key ?? null);
  if (created) keyring.putProjectKey(created.key);
  return { account, created };
}
