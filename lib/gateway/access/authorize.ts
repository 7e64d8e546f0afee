import { contentPermissions } from "@/lib/contract/access/content-permissions";
import type { Operation, OperationScope } from "@/lib/contract/operation";
import { invalid, missingPermission, notFound, projectNotNamed, unauthenticated } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import { type AuthenticationContext, authenticate, authenticateAgain } from "./authenticate";
import type { Caller } from "./caller";
import { listVisibleProjects } from "./caller-projects";
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

/**
 * The caller as they are now, for a request that has waited since it was authorized, for its body or its turn.
 * @returns null only for an operation that is open to everyone.
 * @throws Refusal as `authorize` does.
 */
export function authorizeAgain(
  context: AuthenticationContext,
  headers: RequestHeaders,
  operation: AccessRequirement,
  params: Readonly<Record<string, string>> = {},
): Caller | null {
  const caller = authenticate(context, headers);
  authorize(operation, caller, params, headers.get("openai-project"));
  return caller;
}

/**
 * Returns a function that authenticates the caller again, for a reply that takes longer than an instant. It throws a
 * Refusal once the caller may not make the request any more, or has lost a project that the reply lists. A caller who
 * joins a project still sees only those of the beginning, since half of the new one's rows would pass for all of them.
 */
export function followAccess(
  context: AuthenticationContext,
  { headers }: { readonly headers: RequestHeaders },
  operation: AccessRequirement,
  params: Readonly<Record<string, string>>,
): () => Caller {
  const { permission } = operation;
  const listProjects = (caller: Caller) =>
    typeof permission === "string" ? listVisibleProjects(context.graph, caller, permission) : null;
  const now = () => authenticateAgain(context, headers);
  const before = listProjects(now());
  return () => {
    const caller = now();
    authorize(operation, caller, params, headers.get("openai-project"));
    if (hasLost(before, listProjects(caller))) throw unauthenticated();
    return before ? { ...caller, onlyIn: before } : caller;
  };
}

/** Whether one of these projects isn't visible any more. Null stands for all projects. */
function hasLost(before: readonly string[] | null, visible: readonly string[] | null): boolean {
  return visible !== null && !before?.every((id) => visible.includes(id));
}

/**
 * Seeing that a file exists doesn't permit reading it: a Reader sees that a task made a picture, but not the picture.
 * @throws Refusal 403 for a caller who neither made the file nor may call models or read request bodies in its project.
 */
export function refuseContent(
  { keyId, permissionsIn }: Pick<Caller, "keyId" | "permissionsIn">,
  call: { readonly projectId: string; readonly keyId: string | null },
): void {
  if (call.keyId === keyId) return;
  const permissions = permissionsIn(call.projectId);
  if (!contentPermissions.some((permission) => permissions.has(permission)))
    throw missingPermission(contentPermissions[0]);
}
