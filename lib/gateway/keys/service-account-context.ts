import { toProjectRoleId } from "@/lib/contract/access/role-words";
import type { ServiceAccountRole } from "@/lib/contract/operations/keys/service-accounts";
import type { ChangeContext } from "../changes/change";
import type { Effects } from "../effects";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, refuseLackedPermission } from "../roles/actor";
import type { KeyStore } from "./key-store";
import type { ServiceAccountStore } from "./service-account-store";

/** The dependencies of the verbs on service accounts. */
export interface ServiceAccountContext extends ChangeContext {
  readonly serviceAccounts: ServiceAccountStore;
  readonly keys: KeyStore;
  readonly graph: AccessGraph;
  readonly effects: Effects;
  readonly catalogue: { find(id: string): object | undefined };
}

/** A service account's id, and the project that it must belong to. */
export interface AccountPath {
  readonly projectId: string;
  readonly id: string;
}

/** An actor may not create or change an account with more permissions than their own. @throws Refusal 403. */
export function refuseStrongerAccount(
  graph: AccessGraph,
  actor: Actor,
  role: ServiceAccountRole,
  projectId: string,
): void {
  const permissions = graph.findPermissions({ kind: "role", id: toProjectRoleId(role) }, null);
  refuseLackedPermission(actor, permissions, projectId);
}
