import { type Permission, projectPermissions } from "@/lib/contract/access/permissions";
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
import { conflict, invalid, missingPermission, notFound, Refusal } from "../refusal";
import { type GrantContext, readModel } from "./access-grants";
import {
  type AccessRequestRecord,
  type AskedKind,
  NOTHING_GIVEN,
  type Visible,
} from "./access-request-store.sql";
import { give } from "./grants";
import { readLimits, readSpendLimit } from "./limit-grants";

/** Requests of one member that wait at the same time. */
const MAX_PENDING = 20;

/** What somebody must hold where it is asked for, to see a request and to approve it. */
const DECIDES: Readonly<Record<AskedKind, Permission>> = {
  rate_limits: "api.rate_limits.write",
  spend_limit: "api.spend_limits.write",
  model: "api.model_permissions.write",
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
  const visibleFor = (kind: AskedKind) => listVisibleProjects(graph, caller, DECIDES[kind]);
  return {
    makerId: caller.keyId,
    projects: {
      rate_limits: visibleFor("rate_limits"),
      spend_limit: visibleFor("spend_limit"),
      model: visibleFor("model"),
      permission: visibleFor("permission"),
    },
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
 * Asks for higher limits, a model or a permission.
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
  given: NOTHING_GIVEN,
  endsAtMs: null,
  endedAtMs: null,
  leftAlone: [],
} as const;

function readAsked(
  context: GrantContext,
  caller: Caller,
  draft: AccessRequestDraft,
): AccessRequestRecord["asked"] {
  const { permission, model, limits, spend_limit: spendLimit, project_id: projectId = null } = draft;
  const named = [permission, spendLimit, model ?? limits].filter((one) => one !== undefined);
  if (named.length > 1)
    throw invalid(
      permission === undefined ? "spend_limit" : "permission",
      "Ask for one thing: a permission, a spend limit, or a model and its limits.",
    );
  if (permission !== undefined) return readPermission(context, caller, permission, projectId);
  if (spendLimit !== undefined) {
    if (projectId !== null) findOwnProject(context, caller, projectId);
    return readSpendLimit(context, caller, projectId, spendLimit.threshold_amount);
  }
  if (model === undefined)
    throw invalid("model", "Name the model, a spend limit, or a permission.", "missing_field");
  if (projectId === null) throw invalid("project_id", "Name the project of the model.", "missing_field");
  findOwnProject(context, caller, projectId);
  return limits === undefined
    ? readModel(context, projectId, model)
    : readLimits(context, projectId, model, limits);
}

function readPermission(
  context: GrantContext,
  caller: Caller,
  permission: Permission,
  projectId: string | null,
): AccessRequestRecord["asked"] {
  const place = projectPermissions.includes(permission) ? projectId : null;
  if (place !== null) findProject(context, place);
  if (!caller.permissionsIn(place).has(permission))
    return { kind: "permission", projectId: place, permission };
  throw conflict("permission", `You hold ${permission} already: reload the page.`);
}

/** Whoever holds nothing in a project learns nothing of its limits and models. */
function findOwnProject(context: GrantContext, caller: Caller, id: string): void {
  findProject(context, id);
  if (caller.permissionsIn(id).size === 0) throw notFound("project", id, "project_id");
}

function findProject({ projectCache }: GrantContext, id: string): void {
  const project = projectCache.find(id);
  if (!project) throw notFound("project", id, "project_id");
  refuseArchived(project);
}

function isSame(one: AccessRequestRecord["asked"], other: AccessRequestRecord["asked"]): boolean {
  if (one.kind !== other.kind || one.projectId !== other.projectId) return false;
  if (one.kind === "permission") return "permission" in other && one.permission === other.permission;
  return one.kind === "spend_limit" || ("model" in other && one.model === other.model);
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
    const given = await give(context, transaction, caller, found);
    const decision = { atMs, person: toKeyCreator(caller) };
    const endsAtMs = days === null ? null : atMs + days * DAY_MS;
    await accessRequests.approve(transaction, id, { given, ...decision, endsAtMs });
    return { ...found, given, status: "approved", decision, endsAtMs };
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
