import { isEndpointOpen, modelEndpoints } from "@/lib/contract/access/key-scopes";
import { contentPermissions, type Permission } from "@/lib/contract/access/permissions";
import type { Operation, OperationScope } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import type { AdminKeyUses } from "../keys/admin-keys";
import type { KeyScope } from "../keys/key-records";
import type { ProjectCache } from "../projects/projects";
import { invalid, missingPermission, notFound, projectNotNamed, Refusal, unauthenticated } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import type { AccessGraph } from "../roles/access-graph";
import type { AccessRefusals } from "./access-refusals";
import { type AuthenticationContext, authenticate, authenticateAgain } from "./authenticate";
import type { Caller } from "./caller";

/** An operation's requirements for its caller. */
export type AccessRequirement = Pick<
  Operation,
  "id" | "method" | "path" | "permission" | "sessionPermission" | "scope" | "limitedKeys"
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
  // An empty header counts as absent: the client's environment variable is empty.
  const namedProject = header || null;
  const { permission: usual, sessionPermission } = operation;
  if (typeof usual === "object" && usual.open === "to everyone") return;
  if (!caller) throw unauthenticated();
  refuseChangeInView(operation, caller);
  const permission = (caller.kind === "session" && sessionPermission) || usual;
  refuseOutsideScope(operation, caller);
  if (typeof permission === "object") return;
  const { scope } = operation;
  if (scope === "named project") refuseOtherProject(caller, namedProject);
  const projectId = findProjectId(scope, caller, params, namedProject);
  const isHeld =
    scope === "any project"
      ? caller.holdsAnywhere(permission)
      : // A key that names another project learns that there is none of that name, if it could do this in its own.
        caller
          .permissionsIn(scope === "project" ? (caller.projectId ?? projectId) : projectId)
          .has(permission);
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

/** @throws Refusal 403 for any change while the caller looks at the console as a role. */
function refuseChangeInView({ method }: Pick<Operation, "method">, { isReadOnly }: Caller): void {
  if (!isReadOnly || method === "GET") return;
  const message =
    "Nothing can be changed while you view the console as a role. Leave the view to make changes.";
  throw new Refusal(403, "permission_error", "viewing_as_role", message);
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

/**
 * Lets a limited key make only the calls that the operation table opens to it. Otherwise it could create a key without
 * the limit, or find what it may not read.
 * @throws Refusal 403 that names the key's limits.
 */
function refuseOutsideScope(
  operation: Pick<Operation, "path" | "limitedKeys">,
  { scope }: Pick<Caller, "scope">,
): void {
  if (!scope || isEndpointOpen(findEndpoints(scope), operation)) return;
  const endpoints = findEndpoints(scope)?.join(" and ");
  throw outsideScope(`This key is limited to ${endpoints}: it may not call ${operation.path}.`, null);
}

/** @throws Refusal 403 that names the models that the key may call. */
export function refuseModelOutsideScope(scope: KeyScope | undefined, model: string): void {
  if (isModelInScope(scope, model)) return;
  const modelNames = scope?.models?.map((id) => `"${id}"`).join(", ");
  throw outsideScope(`This key may not call "${model}": it is limited to ${modelNames}.`, "model");
}

/** Whether a key's scope leaves it any operation that needs the permission. */
export function isPermissionInScope(scope: KeyScope, permission: Permission): boolean {
  if (!isScoped(scope)) return true;
  return operationTable.some(
    (operation) => operation.permission === permission && isEndpointOpen(findEndpoints(scope), operation),
  );
}

/** Whether a key is limited to models or endpoints: then it sees nothing of other keys' work. */
export function isScoped(scope: KeyScope | undefined): boolean {
  return scope !== undefined && (scope.models !== null || scope.endpoints !== null);
}

export function isModelInScope(scope: KeyScope | undefined, model: string): boolean {
  return !scope?.models || scope.models.includes(model);
}

function findEndpoints({ models, endpoints }: KeyScope): KeyScope["endpoints"] {
  return endpoints ?? (models && modelEndpoints);
}

function outsideScope(message: string, param: string | null): Refusal {
  return new Refusal(403, "permission_error", "outside_key_scope", message, { ...(param && { param }) });
}

/**
 * The project of a call: the caller's own, or the one named in the header `OpenAI-Project`; null if neither is set.
 * @throws Refusal 404; 400 for an archived project.
 */
export function findNamedProject(
  projectCache: Pick<ProjectCache, "find">,
  caller: Caller,
  headers: RequestHeaders,
): string | null {
  const projectId = caller.projectId === null ? headers.get("openai-project") : null;
  if (!projectId) return caller.projectId;
  const project = projectCache.find(projectId);
  if (!project) throw notFound("project", projectId, "project_id");
  const { id, name, archivedAtMs } = project;
  if (archivedAtMs === null) return id;
  const message = `The project "${name}" is archived and answers no calls. Use another project.`;
  throw invalid("OpenAI-Project", message, "project_archived");
}

/** The project that pays for a call. @throws Refusal 400 if no project is named, or 404. */
export function findChargedProject(
  projectCache: Pick<ProjectCache, "find">,
  caller: Caller,
  headers: RequestHeaders,
): string {
  const projectId = findNamedProject(projectCache, caller, headers);
  if (projectId !== null) return projectId;
  const message = "This key belongs to no project: name the project that pays, in the header OpenAI-Project.";
  throw invalid("OpenAI-Project", message, "missing_field");
}

/** The ids of the projects in which a caller holds a permission; null if the caller holds it in every project. */
export function listVisibleProjects(
  graph: AccessGraph,
  { projectId, holder, permissionsIn, onlyIn }: Caller,
  permission: Permission,
): string[] | null {
  if (projectId !== null) return [projectId];
  if (permissionsIn(null).has(permission)) return onlyIn ? [...onlyIn] : null;
  const visible = graph
    .listProjectPermissions(holder)
    .flatMap(([id]) => (permissionsIn(id).has(permission) ? [id] : []));
  return onlyIn ? visible.filter((id) => onlyIn.includes(id)) : visible;
}

/** The projects to list: the visible ones, narrowed to those the caller asked for; null for all. */
export function narrowTo(visible: string[] | null, projectId: string | undefined): string[] | null {
  if (projectId === undefined) return visible;
  return visible === null || visible.includes(projectId) ? [projectId] : [];
}

export interface AccessContext extends AuthenticationContext {
  readonly adminKeyUses: AdminKeyUses;
  readonly accessRefusals: AccessRefusals;
  readonly projectCache: ProjectCache;
}

/** The parts of a request that authentication reads, and that are recorded with a refusal. */
interface RefusableExchange {
  readonly request: { readonly headers: RequestHeaders };
  readonly requestId: string;
  /** The client's network address. */
  address(): string | null;
}

interface AccessRequest {
  readonly operation: AccessRequirement;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Authenticates the caller and checks that it holds the permission. Counts refusals, and notes the use of an admin key.
 * @returns null only for an operation that is open to everyone.
 * @throws Refusal 401, 403 or 404.
 */
export function checkAccess(
  context: AccessContext,
  requestContext: RefusableExchange,
  asked: AccessRequest,
): Caller | null {
  const caller = findCaller(context, requestContext);
  try {
    authorizeCaller(requestContext, asked, caller);
  } catch (error) {
    noteRefusal(context, requestContext, { ...asked, caller }, error);
    throw error;
  }
  return caller;
}

/**
 * The same where other gateways change what it knows, such as a key that one of them made a moment ago: that is read
 * before anybody is refused.
 */
export function checkAccessAmongMany(
  context: AccessContext & { readonly catchUp: (() => Promise<void>) | null },
  requestContext: RefusableExchange,
  asked: AccessRequest,
): Caller | null | Promise<Caller | null> {
  const { catchUp } = context;
  if (!catchUp) return checkAccess(context, requestContext, asked);
  const caller = findCaller(context, requestContext);
  try {
    authorizeCaller(requestContext, asked, caller);
  } catch {
    return catchUp().then(() => checkAccess(context, requestContext, asked));
  }
  return caller;
}

function findCaller(context: AccessContext, { request: { headers } }: RefusableExchange): Caller | null {
  const caller = authenticate(context, headers);
  if (caller && caller.projectId === null && caller.holder.kind === "role")
    context.adminKeyUses.note(caller.keyId, context.runtime.clock.nowMs());
  return caller;
}

function authorizeCaller(
  { request: { headers } }: RefusableExchange,
  { operation, params }: AccessRequest,
  caller: Caller | null,
): void {
  authorize(operation, caller, params, headers.get("openai-project"));
}

/**
 * Counts an error if it refuses access. Skips operations that are open to everyone, whose failures are failed sign-ins
 * in the audit log, and refused calls with a receipt, which are in the request log.
 */
export function noteRefusal(
  { accessRefusals, projectCache }: AccessContext,
  requestContext: RefusableExchange,
  { operation, params, caller }: AccessRequest & { readonly caller: Caller | null },
  error: unknown,
): void {
  const { id, permission } = operation;
  if (typeof permission === "object" && permission.open === "to everyone") return;
  if (error instanceof Refusal && error.hasReceipt) return;
  const projectId = projectCache.find(params.project_id ?? "")?.id ?? null;
  accessRefusals.record(error, {
    caller,
    operation: id,
    projectId: caller?.projectId ?? projectId,
    ip: requestContext.address(),
    requestId: requestContext.requestId,
  });
}
