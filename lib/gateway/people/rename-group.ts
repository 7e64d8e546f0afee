import type { GroupDraft } from "@/lib/contract/operations/people/groups";
import { type ChangeRequest, change } from "../changes/change";
import type { GroupContext } from "./create-group";
import { findGroup } from "./find-group";
import type { GroupRecord } from "./group-store";

/** @throws Refusal 404; 409 if the name is taken. */
export function renameGroup(
  context: GroupContext,
  request: ChangeRequest,
  id: string,
  { name }: GroupDraft,
): Promise<GroupRecord> {
  const { groups, groupMirror } = context;
  return change(context, request, async (transaction) => {
    const group = { ...findGroup(groupMirror, id), name };
    groupMirror.refuseTakenName(name, id);
    await groups.rename(transaction, id, name);
    return group;
  });
}
