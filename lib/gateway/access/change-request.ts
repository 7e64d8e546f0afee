import { findAuditEvent } from "@/lib/contract/access/audit-events";
import type { OperationId } from "@/lib/contract/operation-table";
import type { AuditActor } from "../changes/audit/audit-event";
import type { ChangeRequest } from "../changes/change";
import type { UserCache } from "../people/members";
import { type ProjectCache, refuseArchived } from "../projects/projects";
import { notFound } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import { type AuthenticationContext, authenticate } from "./authenticate";
import { type AccessRequirement, authorize } from "./authorize";
import type { Caller } from "./caller";

export interface ChangeRequestContext extends AuthenticationContext {
  readonly projectCache: ProjectCache;
}

/** The only changes that an archived project accepts. */
const ALSO_IN_ARCHIVED: readonly OperationId[] = ["archiveProject", "deleteProjectApiKey"];

/** Describes a change for `change()`. Each call of `authorize` authenticates the caller again. */
export function buildChangeRequest(
  context: ChangeRequestContext,
  operation: AccessRequirement,
  asked: {
    readonly requestId: string;
    /** Null for an operation that is open to everyone. */
    readonly caller: Caller | null;
    readonly headers: RequestHeaders;
    readonly address: string | null;
    readonly params: Readonly<Record<string, string>>;
    /** The type of its audit event; by default the operation's. */
    readonly eventType?: string;
  },
): ChangeRequest {
  const { requestId, caller, headers, address: ip, params } = asked;
  const type = asked.eventType ?? findAuditEvent(operation.id);
  const atMs = context.runtime.clock.nowMs();
  const actor = caller && describeAuditActor(caller, context.userCache);
  return {
    event: { type, atMs, requestId, ip, actor },
    authorize() {
      authorize(operation, authenticate(context, headers), params, headers.get("openai-project"));
      const { project_id: id } = params;
      if (id === undefined || ALSO_IN_ARCHIVED.some((one) => one === operation.id)) return;
      const project = context.projectCache.find(id);
      if (!project) throw notFound("project", id, "project_id");
      refuseArchived(project);
    },
    refuseStale: async () => {},
  };
}

/** The caller as the audit log records it. */
function describeAuditActor({ kind, id, keyId, holder }: Caller, userCache: UserCache): AuditActor {
  if (holder.kind !== "user") return { kind, id, keyId, userId: null, email: null };
  return { kind, id, keyId: null, userId: holder.id, email: userCache.find(holder.id)?.email ?? null };
}
