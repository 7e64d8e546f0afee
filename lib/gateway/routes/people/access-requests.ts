import type { AccessRequest } from "@/lib/contract/operations/people/access-requests";
import type { Caller } from "../../access/caller";
import { findRoleToGive, type GrantContext } from "../../access-requests/access-grants";
import type { AccessRequestRecord } from "../../access-requests/access-request-store.sql";
import {
  approveAccessRequest,
  createAccessRequest,
  declineAccessRequest,
  findAccessRequest,
  findVisible,
  mayDecide,
} from "../../access-requests/access-requests";
import { findSpendCents } from "../../access-requests/limit-grants";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
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
    model: "model" in asked ? asked.model : null,
    limits: asked.kind === "rate_limits" ? asked.limits : null,
    limits_now: asked.kind === "rate_limits" ? readLimitsNow(context, asked) : null,
    ...describeSpendLimit(context, caller, asked),
    permission: asked.kind === "permission" ? asked.permission : null,
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

function describeSpendLimit(
  context: GrantContext,
  caller: Caller,
  asked: AccessRequestRecord["asked"],
): Pick<AccessRequest, "spend_limit" | "spend_limit_now"> {
  const isShown =
    asked.kind === "spend_limit" && caller.permissionsIn(asked.projectId).has("api.spend_limits.read");
  if (!isShown) return { spend_limit: null, spend_limit_now: null };
  const { currency } = context.organization;
  const now = findSpendCents(context, asked.projectId);
  return {
    spend_limit: { threshold_amount: asked.cents, currency },
    spend_limit_now: now === null ? null : { threshold_amount: now, currency },
  };
}

function describeRole(
  context: GrantContext,
  { asked, status, maker, given: { givenRole } }: AccessRequestRecord,
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
