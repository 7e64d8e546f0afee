import type { AdminKeyUses } from "../keys/admin-keys";
import type { ProjectCache } from "../projects/projects";
import { Refusal } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import type { AccessRefusals } from "./access-refusals";
import { type AuthenticationContext, authenticate } from "./authenticate";
import { type AccessRequirement, authorize } from "./authorize";
import type { Caller } from "./caller";

export interface AccessContext extends AuthenticationContext {
  readonly adminKeyUses: AdminKeyUses;
  readonly accessRefusals: AccessRefusals;
  readonly projectCache: ProjectCache;
}

/** What authentication reads of a request, and what is recorded when it is refused. */
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
  { operation, params }: AccessRequest,
): Caller | null {
  const { headers } = requestContext.request;
  const caller = authenticate(context, headers);
  if (caller && caller.projectId === null && caller.holder.kind === "role") {
    context.adminKeyUses.note(caller.keyId, context.runtime.clock.nowMs());
  }
  try {
    authorize(operation, caller, params, headers.get("openai-project"));
  } catch (error) {
    noteRefusal(context, requestContext, { operation, params, caller }, error);
    throw error;
  }
  return caller;
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
