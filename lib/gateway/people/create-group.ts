import { newId } from "@/lib/contract/ids";
import type { GroupDraft } from "@/lib/contract/operations/people/groups";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Effects } from "../effects";
import type { AccessGraph } from "../roles/access-graph";
import type { GroupMirror } from "./group-mirror";
import type { GroupRecord, GroupStore } from "./group-store";

export interface GroupContext extends ChangeContext {
  readonly groups: GroupStore;
  readonly groupMirror: GroupMirror;
  readonly graph: AccessGraph;
  readonly effects: Effects;
}

/** Creates a group without members or roles. @throws Refusal 409 if its name is taken. */
export function createGroup(
  context: GroupContext,
  request: ChangeRequest,
  { name }: GroupDraft,
): Promise<GroupRecord> {
  const { groups, groupMirror, effects } = context;
  return change(context, request, async (transaction) => {
    groupMirror.refuseTakenName(name, null);
    const createdAtMs = effects.clock.nowMs();
    const group = { id: newId("group", createdAtMs, effects.random), name, createdAtMs };
    await groups.insert(transaction, group);
    return group;
  });
}
