import { newId } from "@/lib/contract/ids";
import type { ProjectDraft } from "@/lib/contract/operations/projects/projects";
import { type ChangeRequest, change } from "../changes/change";
import type { Effects } from "../effects";
import type { ProjectContext } from "./project-context";
import type { ProjectRecord } from "./project-store";

/** Creates an active project. Names need not be unique: the id tells projects apart. */
export function createProject(
  context: ProjectContext,
  request: ChangeRequest,
  draft: ProjectDraft,
): Promise<ProjectRecord> {
  return change(context, request, async (transaction) => {
    const project = newProject(context.effects, draft);
    await context.projects.insert(transaction, project);
    return project;
  });
}

/** A project that is not stored yet. */
export function newProject({ clock, random }: Effects, { name }: ProjectDraft): ProjectRecord {
  const createdAtMs = clock.nowMs();
  return { id: newId("proj", createdAtMs, random), name, createdAtMs, archivedAtMs: null };
}
