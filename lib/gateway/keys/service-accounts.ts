import { toProjectRoleId } from "@/lib/contract/access/role-words";
import { newId } from "@/lib/contract/ids";
import type {
  ServiceAccountChange,
  ServiceAccountDraft,
  ServiceAccountRole,
} from "@/lib/contract/operations/keys/service-accounts";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { ClockAndRandom } from "../clock";
import { notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, refuseLackedPermission } from "../roles/actor";
import type { KeyCreator, ServiceAccountRecord } from "./key-records";
import type { KeyStore, ServiceAccountStore } from "./key-store.sql";
import {
  type CreatedProjectKey,
  changeScope,
  type NewProjectKey,
  newProjectKey,
  type ScopeChange,
  unlimited,
} from "./project-keys";

/** The dependencies of the verbs on service accounts. */
export interface ServiceAccountContext extends ChangeContext {
  readonly serviceAccounts: ServiceAccountStore;
  readonly keys: KeyStore;
  readonly graph: AccessGraph;
  readonly runtime: ClockAndRandom;
  readonly catalogue: { find(id: string): object | undefined };
}

/** A service account's id, and the project that it must belong to. */
interface AccountPath {
  readonly projectId: string;
  readonly id: string;
}

/** An actor may not create or change an account with more permissions than their own. @throws Refusal 403. */
function refuseStrongerAccount(
  graph: AccessGraph,
  actor: Actor,
  role: ServiceAccountRole,
  projectId: string,
): void {
  const permissions = graph.findPermissions({ kind: "role", id: toProjectRoleId(role) }, null);
  refuseLackedPermission(actor, permissions, projectId);
}

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

/** OpenAI's default name for a service account's key. */
const DEFAULT_KEY_NAME = "Secret Key";

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
  const { serviceAccounts, graph, runtime, catalogue } = context;
  return change(context, request, async (transaction) => {
    const createdAtMs = runtime.clock.nowMs();
    const isBare = draft.create_service_account_only === true;
    const account: ServiceAccountRecord = {
      id: newId("svc_acct", createdAtMs, runtime.random),
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
    const key = isBare ? null : newProjectKey(runtime, keyDraft);
    await serviceAccounts.insert(transaction, account, key?.key ?? null);
    return { account, created: key };
  });
}

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
    const key = newProjectKey(context.runtime, {
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

/** Deletes an account and revokes its keys, with immediate effect. @throws Refusal 404, 403. */
export function deleteServiceAccount(
  context: ServiceAccountContext,
  request: ChangeRequest,
  actor: Actor,
  { projectId, id }: AccountPath,
): Promise<void> {
  const { serviceAccounts, graph, runtime } = context;
  return change(context, request, async (transaction) => {
    const { role } = await findServiceAccount(serviceAccounts, projectId, id);
    refuseStrongerAccount(graph, actor, role, projectId);
    await serviceAccounts.delete(transaction, id, runtime.clock.nowMs());
  });
}
