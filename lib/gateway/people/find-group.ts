import { notFound } from "../refusal";
import type { GroupMirror } from "./group-mirror";
import type { GroupRecord } from "./group-store";

/** @throws Refusal 404 when there is no such group. */
export function findGroup(groupMirror: GroupMirror, id: string): GroupRecord {
  const group = groupMirror.find(id);
  if (!group) throw notFound("group", id, "group_id");
  return group;
}
