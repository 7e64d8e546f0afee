import type { ProjectRecord, ProjectStore } from "./project-store";

/** Every project in memory, so that a call finds its own without a look-up in the store. */
export class ProjectBook {
  readonly #byId = new Map<string, ProjectRecord>();

  constructor(projects: Iterable<ProjectRecord>) {
    for (const project of projects) this.put(project);
  }

  find(id: string): ProjectRecord | undefined {
    return this.#byId.get(id);
  }

  put(project: ProjectRecord): void {
    this.#byId.set(project.id, project);
  }
}

/** The store, whose every change the book follows: whoever writes a project can't forget to. */
export function followedBy<Store extends ProjectStore>(book: ProjectBook, store: Store): Store {
  const change = (id: string, changed: Partial<ProjectRecord>) => {
    const project = book.find(id);
    if (project) book.put({ ...project, ...changed });
  };
  return {
    ...store,
    async insert(project) {
      await store.insert(project);
      book.put(project);
    },
    async rename(id, name) {
      await store.rename(id, name);
      change(id, { name });
    },
    async archive(id, atMs) {
      const revoked = await store.archive(id, atMs);
      change(id, { archivedAtMs: book.find(id)?.archivedAtMs ?? atMs });
      return revoked;
    },
  };
}
