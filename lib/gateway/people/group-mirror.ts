import { foldName } from "@/lib/contract/plain-text";
import type { Mirror } from "../changes/mirror";
import { MirroredRows } from "../changes/mirrored-rows";
import { conflict } from "../refusal";
import type { GroupRecord, GroupStore } from "./group-store";

/** The groups in memory. */
export class GroupMirror {
  readonly #rows: MirroredRows<GroupRecord>;

  constructor(groups: readonly GroupRecord[] = []) {
    this.#rows = new MirroredRows(groups);
  }

  find(id: string): GroupRecord | undefined {
    return this.#rows.find(id);
  }

  /** Oldest first. */
  list(): GroupRecord[] {
    return this.#rows.list();
  }

  /** @throws Refusal 409 if another group has the name, or one that looks like it. */
  refuseTakenName(name: string, ownId: string | null): void {
    const namesake = this.list().find(
      (group) => group.id !== ownId && foldName(group.name) === foldName(name),
    );
    if (namesake)
      throw conflict("name", `There is a group "${namesake.name}" already; give this one another name.`);
  }

  following(store: Pick<GroupStore, "list" | "find">): Mirror {
    return this.#rows.following("groups", store);
  }
}
