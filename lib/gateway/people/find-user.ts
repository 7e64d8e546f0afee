import { notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, refuseLackedRolePermissions } from "../roles/actor";
import type { UserMirror } from "./user-mirror";
import type { UserRecord } from "./user-store";

/** @throws Refusal 404 when there is no such member. */
export function findUser(userMirror: UserMirror, id: string, param = "user_id"): UserRecord {
  const user = userMirror.find(id);
  if (!user) throw notFound("user", id, param);
  return user;
}

/** A member whom the actor may manage. @throws Refusal 404; 403 for a member with more permissions than the actor. */
export function findManageableUser(
  { userMirror, graph }: { readonly userMirror: UserMirror; readonly graph: AccessGraph },
  actor: Actor,
  id: string,
): UserRecord {
  const user = findUser(userMirror, id);
  refuseLackedRolePermissions(actor, graph.listUserRoles(id));
  return user;
}
