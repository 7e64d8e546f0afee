import { notFound } from "../refusal";
import type { UserMirror } from "./user-mirror";
import type { UserRecord } from "./user-store";

/** @throws Refusal 404 when there is no such member. */
export function findUser(userMirror: UserMirror, id: string, param = "user_id"): UserRecord {
  const user = userMirror.find(id);
  if (!user) throw notFound("user", id, param);
  return user;
}
