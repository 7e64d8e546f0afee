import { newId } from "@/lib/contract/ids";
import type { ProjectDraft } from "@/lib/contract/operations/projects";
import type { Effects } from "../ports/effects";
import type { ProjectRecord, ProjectStore } from "./project-store";

/** Creates an active project. Names need not be unique: the id tells projects apart. */
export async function createProject(
  { projects, effects }: { projects: ProjectStore; effects: Effects },
  draft: ProjectDraft,
): Promise<ProjectRecord> {
  const createdAtMs = effects.clock.nowMs();
  const project = {
    id: newId("proj", createdAtMs, effects.random),
    name: draft.name,
    createdAtMs,
    archivedAtMs: null,
  };
  await projects.insert(project);
  return project;
}
