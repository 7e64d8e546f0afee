import type { AccessRequest } from "@/lib/contract/operations/people/access-requests";
import type { Caller } from "../../access/caller";
import type { AccessRequestRecord } from "../../access-requests/access-request-store.sql";
import {
  approveAccessRequest,
  createAccessRequest,
  declineAccessRequest,
  findAccessRequest,
  findVisible,
  mayDecide,
} from "../../access-requests/access-requests";
import { findRoleToGive, type GrantContext } from "../../access-requests/grants";
import { toNullableUnixSeconds, toUnixSeconds } from "../../unix-seconds";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids =
  | "listAccessRequests"
  | "retrieveAccessRequest"
  | "createAccessRequest"
  | "approveAccessRequest"
  | "declineAccessRequest";

export function accessRequestRoutes(context: GrantContext): Handlers<Ids> {
  return {
    listAccessRequests: ({ query: { status, of, ...page }, caller }) =>
      paginate(context.accessRequests.pages(findVisible(context, caller, of), status), page, (found) =>
        describe(context, caller, found),
      ),
    retrieveAccessRequest: async ({ params: { access_request_id: id }, caller }) =>
      describe(context, caller, await findAccessRequest(context, caller, id)),
    createAccessRequest: async ({ body, caller, request }) =>
      describe(context, caller, await createAccessRequest(context, request, caller, body)),
    approveAccessRequest: async ({ params: { access_request_id: id }, body, caller, request }) =>
      describe(context, caller, await approveAccessRequest(context, request, caller, { id, ...body })),
    declineAccessRequest: async ({ params: { access_request_id: id }, body, caller, request }) =>
      describe(context, caller, await declineAccessRequest(context, request, caller, { id, ...body })),
  };
}

function describe(context: GrantContext, caller: Caller, found: AccessRequestRecord): AccessRequest {
  const { asked, decision } = found;
  const project = asked.projectId === null ? undefined : context.projectCache.find(asked.projectId);
  const knowsProject = caller.permissionsIn(asked.projectId).size > 0;
  return {
    object: "organization.access_request",
    id: found.id,
    kind: asked.kind,
    status: found.status,
    project_id: asked.projectId,
    project_name: (knowsProject && project?.name) || null,
    ...(asked.kind === "rate_limits"
      ? {
          model: asked.model,
          limits: asked.limits,
          limits_now: readLimitsNow(context, asked),
          permission: null,
        }
      : { model: null, limits: null, limits_now: null, permission: asked.permission }),
    role: describeRole(context, found),
    reason: found.reason,
    request_id: found.requestId,
    created_at: toUnixSeconds(found.createdAtMs),
    requested_by: found.maker,
    may_decide: mayDecide(caller, found),
    decided_at: toNullableUnixSeconds(decision?.atMs ?? null),
    decided_by: decision && decision.person,
    decline_reason: found.declineReason,
    ends_at: toNullableUnixSeconds(found.endsAtMs),
    ended_at: toNullableUnixSeconds(found.endedAtMs),
    left_alone: [...found.leftAlone],
  };
}

function readLimitsNow(
  { catalogue, rateLimitCache }: GrantContext,
  { projectId, model: named, limits }: AccessRequestRecord["asked"] & { kind: "rate_limits" },
): AccessRequest["limits_now"] {
  const model = catalogue.find(named);
  if (!model) return {};
  const present = rateLimitCache.effectiveLimits(projectId, model);
  return Object.fromEntries(Object.entries(present).filter(([field]) => field in limits));
}

function describeRole(
  context: GrantContext,
  { asked, status, maker, givenRole }: AccessRequestRecord,
): AccessRequest["role"] {
  if (givenRole) {
    const name = context.graph.findRole(givenRole.roleId)?.name ?? givenRole.roleId;
    return { id: givenRole.roleId, name, project_id: givenRole.projectId, also_grants: [] };
  }
  if (asked.kind !== "permission" || status !== "pending") return null;
  const smallest = findRoleToGive(context, maker.id, asked);
  if (!smallest) return null;
  const { role, projectId, alsoGrants } = smallest;
  return { id: role.id, name: role.name, project_id: projectId, also_grants: [...alsoGrants] };
}
