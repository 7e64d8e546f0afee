import type { RequestHeaders } from "../incoming-request";
import type { ProjectMirror } from "../projects/project-mirror";
import { invalid } from "../refusal";
import type { Caller } from "./caller";
import { findNamedProject } from "./find-named-project";

/** The project that pays for a call. @throws Refusal 400 if no project is named, or 404. */
export function findChargedProject(
  projectMirror: Pick<ProjectMirror, "find">,
  caller: Caller,
  headers: RequestHeaders,
): string {
  const projectId = findNamedProject(projectMirror, caller, headers);
  if (projectId !== null) return projectId;
  const message = "This key belongs to no project: name the project that pays, in the header OpenAI-Project.";
  throw invalid("OpenAI-Project", message, "missing_field");
}
