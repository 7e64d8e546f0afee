import type { GroupDraft } from "@/lib/contract/operations/groups";
import type { GroupContext } from "./create-group";
import type { GroupRecord } from "./group-store";

/** @throws Refusal 404, 409 when the name is taken. */
export async function renameGroup(
  { groups, groupBook }: GroupContext,
  id: string,
  { name }: GroupDraft,
): Promise<GroupRecord> {
  const group = { ...groupBook.find(id), name };
  groupBook.refuseTakenName(name, id);
  await groups.rename(id, name);
  groupBook.put(group);
  return group;
}
