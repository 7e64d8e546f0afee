import { roleIdOf } from "@/lib/contract/role-words";
import { notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import type { Actor } from "../roles/actor";
import { refuseExcess } from "../roles/change-access";
import type { KeyStore, ProjectKeyRecord, Used } from "./key-store";

/** A key, and the project whose it is to be. */
export interface KeyPlace {
  readonly projectId: string;
  readonly id: string;
}

/** `refuse` comes first, also where there is no such key. @throws Refusal 404 when the project has none. */
export async function findProjectKey(
  keys: Pick<KeyStore, "findProjectKey">,
  { projectId, id }: KeyPlace,
  refuse: (key: KeyAccess) => void = () => {},
): Promise<Used<ProjectKeyRecord>> {
  const key = await keys.findProjectKey(id);
  const isThere = key?.projectId === projectId;
  refuse(isThere ? key : { projectId, serviceAccount: null });
  if (!isThere) throw notFound("key", id, "key_id");
  return key;
}

/** What a key may do follows from these. */
type KeyAccess = Pick<ProjectKeyRecord, "projectId" | "serviceAccount">;

/** Nobody makes, changes or revokes a key that may do more than they. @throws Refusal 403. */
export function refuseStrongerKey(
  graph: AccessGraph,
  actor: Actor,
  { projectId, serviceAccount }: KeyAccess,
): void {
  const role = graph.findRole(roleIdOf(serviceAccount?.role ?? "member", true));
  refuseExcess(actor, role?.permissions ?? [], projectId);
}
