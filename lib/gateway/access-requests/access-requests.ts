import { type Permission, projectPermissions } from "@/lib/contract/access/permissions";
import { rateLimitFields, rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type {
  AccessApproval,
  AccessDecline,
  AccessRequestDraft,
} from "@/lib/contract/operations/people/access-requests";
import { listVisibleProjects } from "../access/authorize";
import { type Caller, toKeyCreator } from "../access/caller";
import { type ChangeRequest, change } from "../changes/change";
import { refuseArchived } from "../projects/projects";
import { findLimitedModel } from "../rate-limits/rate-limits";
import { conflict, invalid, missingPermission, notFound, Refusal } from "../refusal";
import type { AccessRequestRecord, Visible } from "./access-request-store.sql";
import { type GrantContext, giveRole, raiseLimits } from "./grants";

/** Requests of one member that wait at the same time. */
const MAX_PENDING = 20;

/** What somebody must hold where it is asked for, to see a request and to approve it. */
const DECIDES: Readonly<Record<AccessRequestRecord["asked"]["kind"], Permission>> = {
  rate_limits: "api.rate_limits.write",
  permission: "api.role_assignments.write",
};

type Holds = Pick<Caller, "permissionsIn">;

export function mayDecide({ permissionsIn }: Holds, { asked }: AccessRequestRecord): boolean {
  return permissionsIn(asked.projectId).has(DECIDES[asked.kind]);
}

/** The requests that a caller made or may decide. */
export function findVisible(
  { graph }: Pick<GrantContext, "graph">,
  caller: Caller,
  of: Visible["of"],
): Visible {
  return {
    makerId: caller.keyId,
    limitProjects: listVisibleProjects(graph, caller, DECIDES.rate_limits),
    roleProjects: listVisibleProjects(graph, caller, DECIDES.permission),
    of,
  };
}

/** @throws Refusal 404 for a request that the caller neither made nor may decide, as for none. */
export async function findAccessRequest(
  { accessRequests }: Pick<GrantContext, "accessRequests">,
  caller: Pick<Caller, "keyId"> & Holds,
  id: string,
): Promise<AccessRequestRecord> {
  const found = await accessRequests.find(id);
  if (found && (found.maker.id === caller.keyId || mayDecide(caller, found))) return found;
  throw notFound("access request", id, "access_request_id");
}

/**
 * Asks for higher limits or for a permission.
 * @throws Refusal 403 for a key; 404; 400 for what isn't more; 409 for what is held or asked for already.
 */
export function createAccessRequest(
  context: GrantContext,
  request: ChangeRequest,
  caller: Caller,
  draft: AccessRequestDraft,
): Promise<AccessRequestRecord> {
  const { accessRequests, runtime } = context;
  return change(context, request, async (transaction) => {
    if (caller.holder.kind !== "user") throw onlyMembers();
    const asked = readAsked(context, caller, draft);
    const waiting = await accessRequests.listPending(caller.keyId);
    if (waiting.some((one) => isSame(one.asked, asked)))
      throw conflict(asked.kind, "You have asked for this already, and it waits for an answer.");
    if (waiting.length >= MAX_PENDING) {
      const message = `${MAX_PENDING} of your requests wait for an answer. Withdraw one first.`;
      throw conflict("access_requests", message, "limit_reached");
    }
    const createdAtMs = runtime.clock.nowMs();
    const made: AccessRequestRecord = {
      id: newId("areq", createdAtMs, runtime.random),
      asked,
      reason: draft.reason || null,
      requestId: draft.request_id ?? null,
      createdAtMs,
      maker: { id: caller.keyId, name: caller.name },
      status: "pending",
      ...UNDECIDED,
    };
    await accessRequests.insert(transaction, made);
    return made;
  });
}

const UNDECIDED = {
  decision: null,
  declineReason: null,
  limitsBefore: null,
  givenRole: null,
  endsAtMs: null,
  endedAtMs: null,
  leftAlone: [],
} as const;

function readAsked(
  context: GrantContext,
  caller: Caller,
  { permission, model, limits, project_id: projectId = null }: AccessRequestDraft,
): AccessRequestRecord["asked"] {
  if (permission !== undefined) {
    if (model !== undefined || limits !== undefined)
      throw invalid("permission", "Ask for a permission or for limits, not for both in one request.");
    const place = projectPermissions.includes(permission) ? projectId : null;
    if (place !== null) findProject(context, place);
    if (!caller.permissionsIn(place).has(permission))
      return { kind: "permission", projectId: place, permission };
    throw conflict("permission", `You hold ${permission} already: reload the page.`);
  }
  if (model === undefined) throw invalid("model", "Name the model, or a permission.", "missing_field");
  if (limits === undefined)
    throw invalid("limits", "Name the limits that the model should have.", "missing_field");
  if (projectId === null) throw invalid("project_id", "Name the project of the limits.", "missing_field");
  findProject(context, projectId);
  // Whoever holds nothing in a project learns nothing of its limits.
  if (caller.permissionsIn(projectId).size === 0) throw notFound("project", projectId, "project_id");
  const limited = findLimitedModel(context.catalogue, model);
  const present = context.rateLimitCache.effectiveLimits(projectId, limited);
  for (const field of rateLimitFields) {
    const [asked, now] = [limits[field], present[field]];
    if (asked === undefined || (now !== null && (asked === null || asked > now))) continue;
    const { words } = rateLimitTable[field];
    const limit = now === null ? "has no limit already" : `is ${now} already`;
    throw invalid(`limits.${field}`, `${words.label} ${limit}: ask for more than that.`);
  }
  return { kind: "rate_limits", projectId, model: limited.id, limits };
}

function findProject({ projectCache }: GrantContext, id: string): void {
  const project = projectCache.find(id);
  if (!project) throw notFound("project", id, "project_id");
  refuseArchived(project);
}

function isSame(one: AccessRequestRecord["asked"], other: AccessRequestRecord["asked"]): boolean {
  if (one.projectId !== other.projectId) return false;
  if (one.kind === "permission") return other.kind === "permission" && one.permission === other.permission;
  return other.kind === "rate_limits" && one.model === other.model;
}

/**
 * Gives what is asked for, for some days or for good.
 * @throws Refusal 404; 403 without the permission there, or for a role with more permissions than the caller; 409 if it
 * was already decided.
 */
export function approveAccessRequest(
  context: GrantContext,
  request: ChangeRequest,
  caller: Caller,
  { id, days = null }: { readonly id: string } & AccessApproval,
): Promise<AccessRequestRecord> {
  const { accessRequests, runtime } = context;
  return change(context, request, async (transaction) => {
    const found = await findPending(context, caller, id);
    if (!mayDecide(caller, found)) throw missingPermission(DECIDES[found.asked.kind]);
    if (found.asked.projectId !== null) findProject(context, found.asked.projectId);
    const atMs = runtime.clock.nowMs();
    const { asked, maker } = found;
    const given =
      asked.kind === "rate_limits"
        ? { limitsBefore: await raiseLimits(context, transaction, asked), givenRole: null }
        : { limitsBefore: null, givenRole: await giveRole(context, transaction, caller, maker.id, asked) };
    const decision = { atMs, person: toKeyCreator(caller) };
    const endsAtMs = days === null ? null : atMs + days * DAY_MS;
    await accessRequests.approve(transaction, id, { ...given, ...decision, endsAtMs });
    return { ...found, ...given, status: "approved", decision, endsAtMs };
  });
}

/** Declines a request, or withdraws one's own. @throws Refusal 404; 409 if it was already decided. */
export function declineAccessRequest(
  context: GrantContext,
  request: ChangeRequest,
  caller: Caller,
  { id, reason: text }: { readonly id: string } & AccessDecline,
): Promise<AccessRequestRecord> {
  const { accessRequests, runtime } = context;
  return change(context, request, async (transaction) => {
    const found = await findPending(context, caller, id);
    const decision = { atMs: runtime.clock.nowMs(), person: toKeyCreator(caller) };
    const reason = text || null;
    await accessRequests.decline(transaction, id, { ...decision, reason });
    return { ...found, status: "declined", decision, declineReason: reason };
  });
}

async function findPending(context: GrantContext, caller: Caller, id: string): Promise<AccessRequestRecord> {
  const found = await findAccessRequest(context, caller, id);
  if (found.status === "pending") return found;
  const message = `The request was already ${found.status} by ${found.decision?.person.name ?? "somebody"}.`;
  throw conflict("access_request_id", message, "already_decided");
}

function onlyMembers(): Refusal {
  const message =
    "Only a signed-in member can ask for more. A key's role never changes: create another key, or have a member ask.";
  return new Refusal(403, "permission_error", "not_owner", message);
}
