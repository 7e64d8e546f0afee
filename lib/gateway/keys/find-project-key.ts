import { toProjectRoleId } from "@/lib/contract/access/role-words";
import { notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, refuseLackedPermission } from "../roles/actor";
import type { KeyStore, ProjectKeyRecord, WithLastUse } from "./key-store";

/** A key's id, and the project that it must belong to. */
export interface KeyPath {
  readonly projectId: string;
  readonly id: string;
}

/** `refuse` runs first, even if there is no such key. @throws Refusal 404 if the project has no such key. */
export async function findProjectKey(
  keys: Pick<KeyStore, "findProjectKey">,
  { projectId, id }: KeyPath,
  refuse: (key: KeyAccess) => void = () => {},
): Promise<WithLastUse<ProjectKeyRecord>> {
  const key = await keys.findProjectKey(id);
  const isThere = key?.projectId === projectId;
  refuse(isThere ? key : { projectId, serviceAccount: null });
  if (!isThere) throw notFound("key", id, "key_id");
  return key;
}

/** The fields that determine a key's permissions. */
type KeyAccess = Pick<ProjectKeyRecord, "projectId" | "serviceAccount">;

/** An actor may not create, change or revoke a key with more permissions than their own. @throws Refusal 403. */
export function refuseStrongerKey(
  graph: AccessGraph,
  actor: Actor,
  { projectId, serviceAccount }: KeyAccess,
): void {
  const role = graph.findRole(toProjectRoleId(serviceAccount?.role ?? "member"));
  refuseLackedPermission(actor, role?.permissions ?? [], projectId);
}
