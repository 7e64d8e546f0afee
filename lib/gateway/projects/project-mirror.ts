import type { Mirror } from "../changes/mirror";
import { MirroredRows } from "../changes/mirrored-rows";
import type { ProjectRecord, ProjectStore } from "./project-store";

/** All projects in memory, including archived ones, so that a call needs no lookup in the store. */
export class ProjectMirror {
  readonly #rows: MirroredRows<ProjectRecord>;

  constructor(projects: Iterable<ProjectRecord> = []) {
    this.#rows = new MirroredRows(projects);
  }

  find(id: string): ProjectRecord | undefined {
    return this.#rows.find(id);
  }

  /** Oldest first. */
  list(): ProjectRecord[] {
    return this.#rows.list();
  }

  following(store: Pick<ProjectStore, "list" | "find">): Mirror {
    return this.#rows.following("projects", store);
  }
}
