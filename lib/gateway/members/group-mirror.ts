import type { Mirror } from "../changes/mirror";
import { MirroredRows } from "../changes/mirrored-rows";
import { conflict, notFound } from "../refusal";
import type { GroupRecord, GroupStore } from "./group-store";

/** The groups in memory. */
export class GroupMirror {
  readonly #rows: MirroredRows<GroupRecord>;

  constructor(groups: readonly GroupRecord[] = []) {
    this.#rows = new MirroredRows(groups);
  }

  /** @throws Refusal 404 when there is no such group. */
  find(id: string, param = "group_id"): GroupRecord {
    const group = this.#rows.find(id);
    if (!group) throw notFound("group", id, param);
    return group;
  }

  /** Oldest first. */
  list(): GroupRecord[] {
    return this.#rows.list();
  }

  /** @throws Refusal 409 if another group has the name, ignoring case. */
  refuseTakenName(name: string, ownId: string | null): void {
    const namesake = this.list().find((group) => group.id !== ownId && fold(group.name) === fold(name));
    if (namesake)
      throw conflict("name", `There is a group "${namesake.name}" already; give this one another name.`);
  }

  following(store: Pick<GroupStore, "list" | "find">): Mirror {
    return this.#rows.following("groups", store);
  }
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
