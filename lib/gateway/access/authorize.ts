import type { Operation, OperationScope } from "@/lib/contract/operation";
import { invalid, missingPermission, notFound, projectNotNamed, unauthenticated } from "../refusal";
import type { Caller } from "./caller";
import { refuseOutsideScope } from "./key-scope";

/** An operation's requirements for its caller. */
export type AccessRequirement = Pick<
  Operation,
  "id" | "path" | "permission" | "sessionPermission" | "scope" | "limitedKeys"
>;

/**
 * Refuses a caller who may not call an operation. `header` is the value of `OpenAI-Project`. A project key sees its own
 * project only and gets a 404 for any other.
 * @throws Refusal 400 where a project key names another project, 401, 403 or 404.
 */
export function authorize(
  operation: AccessRequirement,
  caller: Caller | null,
  params: Readonly<Record<string, string>>,
  header: string | null = null,
): void {
  // A client whose environment has an empty variable for it names none.
  const namedProject = header || null;
  const { permission: usual, sessionPermission } = operation;
  if (typeof usual === "object" && usual.open === "to everyone") return;
  if (!caller) throw unauthenticated();
  const permission = (caller.kind === "session" && sessionPermission) || usual;
  refuseOutsideScope(operation, caller);
  if (typeof permission === "object") return;
  const { scope } = operation;
  if (scope === "named project") refuseOtherProject(caller, namedProject);
  const projectId = findProjectId(scope, caller, params, namedProject);
  const isHeld =
    scope === "any project"
      ? caller.holdsAnywhere(permission)
      : caller.permissionsIn(projectId).has(permission);
  if (!isHeld) {
    const wouldHelp = scope === "named project" && namedProject === null && caller.holdsAnywhere(permission);
    throw wouldHelp ? projectNotNamed(permission) : missingPermission(permission);
  }
  if (
    scope === "project" &&
    projectId !== null &&
    caller.projectId !== null &&
    projectId !== caller.projectId
  ) {
    throw notFound("project", projectId, "project_id");
  }
}

function refuseOtherProject({ projectId }: Caller, namedProject: string | null): void {
  if (projectId === null || namedProject === null || namedProject === projectId) return;
  const message =
    "The key belongs to another project than this header names. Leave it out, or name the key's.";
  throw invalid("OpenAI-Project", message);
}

/** The project in which a permission must be held; null for the organization. */
function findProjectId(
  scope: OperationScope,
  caller: Caller,
  params: Readonly<Record<string, string>>,
  namedProject: string | null,
): string | null {
  if (scope === "project") return params.project_id ?? null;
  return scope === "named project" ? (caller.projectId ?? namedProject) : null;
}
