import type { Caller } from "../auth/caller";
import { invalid } from "../ports/refusal";
import { findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";

/**
 * The project a call is made in: the caller's own, or the one that a caller of the whole organization names in the header
 * `OpenAI-Project`; null where it names none. @throws Refusal 404, 400 for an archived project.
 */
export async function namedProject(
  projects: ProjectStore,
  caller: Caller,
  headers: Headers,
): Promise<string | null> {
  const named = caller.projectId === null ? headers.get("openai-project") : null;
  if (!named) return caller.projectId;
  const { id, name, archivedAtMs } = await findProject(projects, named);
  if (archivedAtMs === null) return id;
  const message = `The project "${name}" is archived and answers no calls. Name another in OpenAI-Project.`;
  throw invalid("OpenAI-Project", message, "project_archived");
}
