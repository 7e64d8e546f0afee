import { newId } from "@/lib/contract/ids";
import type { GroupDraft } from "@/lib/contract/operations/groups";
import type { Effects } from "../ports/effects";
import type { GroupBook } from "./group-book";
import type { GroupRecord, GroupStore } from "./group-store";

export interface GroupContext {
  readonly groups: GroupStore;
  readonly groupBook: GroupBook;
  readonly effects: Effects;
}

/** Makes a group, in which nobody is and which holds nothing. @throws Refusal 409 when its name is taken. */
export async function createGroup(
  { groups, groupBook, effects }: GroupContext,
  { name }: GroupDraft,
): Promise<GroupRecord> {
  groupBook.refuseTakenName(name, null);
  const createdAtMs = effects.clock.nowMs();
  const group = { id: newId("group", createdAtMs, effects.random), name, createdAtMs };
  await groups.insert(group);
  groupBook.put(group);
  return group;
}
