import type { Effects } from "../ports/effects";
import type { OneAtATime } from "../ports/one-at-a-time";
import { findProject } from "./find-project";
import type { ProjectRecord, ProjectStore } from "./project-store";

export interface ArchiveContext {
  readonly projects: ProjectStore;
  /** The keys in memory, by hash. */
  readonly keyring: { remove(hash: string): void };
  /** Shared with whatever creates keys, so that none is made in a project that is just being archived. */
  readonly inTurn: OneAtATime;
  readonly effects: Effects;
}

/**
 * Archives a project: from this moment no call is answered with its keys. One that is archived already stays as it is.
 * @throws Refusal 404.
 */
export async function archiveProject(
  { projects, keyring, inTurn, effects }: ArchiveContext,
  id: string,
): Promise<ProjectRecord> {
  return inTurn(async () => {
    const project = await findProject(projects, id);
    if (project.archivedAtMs !== null) return project;
    const archivedAtMs = effects.clock.nowMs();
    for (const hash of await projects.archive(id, archivedAtMs)) keyring.remove(hash);
    return { ...project, archivedAtMs };
  });
}
