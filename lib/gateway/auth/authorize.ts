import type { Operation } from "@/lib/contract/operation";
import { missingPermission, notFound, projectNotNamed, unauthenticated } from "../ports/refusal";
import type { Caller } from "./caller";

type Asked = Pick<Operation, "permission" | "sessionPermission" | "heldIn" | "surface">;

/**
 * Lets a caller into an operation or throws. `namedProject` is the project that the header `OpenAI-Project` names.
 * A project key sees its own project only: any other is as if it weren't there.
 * @throws Refusal 401, 403 or 404.
 */
export function authorize(
  operation: Asked,
  caller: Caller | null,
  params: Readonly<Record<string, string>>,
  namedProject: string | null = null,
): void {
  const { permission: usual, sessionPermission } = operation;
  if (typeof usual === "object" && usual.open === "to everyone") return;
  if (!caller) throw unauthenticated();
  const permission = (caller.kind === "session" && sessionPermission) || usual;
  const { project_id: project } = params;
  if (typeof permission === "string") {
    const isHeld =
      operation.heldIn === "any project"
        ? caller.holdsAnywhere(permission)
        : caller.permissionsIn(project ?? projectOf(operation, caller, namedProject)).has(permission);
    if (!isHeld) {
      const wouldHelp =
        operation.surface === "v1" && namedProject === null && caller.holdsAnywhere(permission);
      throw wouldHelp ? projectNotNamed(permission) : missingPermission(permission);
    }
  }
  if (project !== undefined && caller.projectId !== null && project !== caller.projectId) {
    throw notFound("project", project, "project_id");
  }
}

/** What models answer is asked for a project. Administration names its project in the path, or is of the whole organization. */
function projectOf({ surface }: Asked, caller: Caller, namedProject: string | null): string | null {
  return surface === "v1" ? (caller.projectId ?? namedProject) : null;
}
