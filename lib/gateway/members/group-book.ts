import { conflict, notFound } from "../ports/refusal";
import type { GroupRecord } from "./group-store";

/** The groups in memory. Mirrors the group store. */
export class GroupBook {
  readonly #byId = new Map<string, GroupRecord>();

  constructor(groups: readonly GroupRecord[]) {
    for (const group of groups) this.put(group);
  }

  /** @throws Refusal 404 when there is no such group. */
  find(id: string, param = "group_id"): GroupRecord {
    const group = this.#byId.get(id);
    if (!group) throw notFound("group", id, param);
    return group;
  }

  /** Oldest first. */
  list(): GroupRecord[] {
    return [...this.#byId.values()];
  }

  put(group: GroupRecord): void {
    this.#byId.set(group.id, group);
  }

  remove(id: string): void {
    this.#byId.delete(id);
  }

  /** @throws Refusal 409 when another group bears the name, in whatever case it is written. */
  refuseTakenName(name: string, ownId: string | null): void {
    const taken = this.list().find((group) => group.id !== ownId && fold(group.name) === fold(name));
    if (taken)
      throw conflict("name", `There is a group "${taken.name}" already; give this one another name.`);
  }
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
