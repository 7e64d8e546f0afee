import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import type { RateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import { type ChangeContext, systemChange } from "../changes/change";
import { CachedRows, type TableCache } from "../changes/table-cache";
import type { Transaction } from "../changes/transaction";
import { findUser, type UserCache } from "../people/members";
import type { ProjectCache } from "../projects/projects";
import {
  findLimitedModel,
  type RateLimitCache,
  type RateLimitContext,
  setLimits,
} from "../rate-limits/rate-limits";
import { missingPermission, Refusal } from "../refusal";
import type { Actor } from "../roles/actor";
import { findSmallestRoleFor, replaceRoles, type SmallestRole } from "../roles/role-assignments";
import type { RoleContext } from "../roles/roles";
import type { AccessRequestRecord, AccessRequestStore } from "./access-request-store.sql";

type Limits = AccessRequestRecord["asked"] & { readonly kind: "rate_limits" };
type Wanted = AccessRequestRecord["asked"] & { readonly kind: "permission" };

/** What was given for a time, in memory, so that checking for what is over needs no read. */
export class RunningGrants {
  readonly #rows = new CachedRows<AccessRequestRecord>();

  /** Those whose time is over, oldest first. */
  listOver(nowMs: number): AccessRequestRecord[] {
    return this.#rows.list().filter(({ endsAtMs }) => endsAtMs !== null && endsAtMs <= nowMs);
  }

  following(store: Pick<AccessRequestStore, "listRunning" | "findRunning">): TableCache {
    return this.#rows.following("access_requests", { list: store.listRunning, find: store.findRunning });
  }
}

export interface GrantContext extends ChangeContext, RateLimitContext, RoleContext {
  readonly accessRequests: AccessRequestStore;
  readonly runningGrants: RunningGrants;
  readonly rateLimitCache: RateLimitCache;
  readonly projectCache: ProjectCache;
  readonly userCache: UserCache;
}

/** Sets the limits that were asked for. @returns what they were. */
export async function raiseLimits(
  context: GrantContext,
  transaction: Transaction,
  { projectId, model: named, limits }: Limits,
): Promise<RateLimitChange> {
  const model = findLimitedModel(context.catalogue, named);
  const before = pick(context.rateLimitCache.effectiveLimits(projectId, model), limits);
  await setLimits(context, transaction, { projectId, model }, limits);
  return before;
}

/** The role that an approval would give. */
export function findRoleToGive(
  { graph }: Pick<GrantContext, "graph">,
  userId: string,
  { permission, projectId }: Wanted,
): SmallestRole | null {
  const held = graph.findPermissions({ kind: "user", id: userId }, projectId);
  return findSmallestRoleFor(graph, held, permission, projectId);
}

/** Gives the smallest role with a permission. @throws Refusal 404 for a removed member; 403; 409 if it is held. */
export async function giveRole(
  context: GrantContext,
  transaction: Transaction,
  actor: Actor,
  userId: string,
  wanted: Wanted,
): Promise<NonNullable<AccessRequestRecord["givenRole"]>> {
  const { graph, userCache, runtime } = context;
  findUser(userCache, userId);
  const smallest = findRoleToGive(context, userId, wanted);
  const principal = { kind: "user", id: userId } as const;
  if (!smallest) throw missingPermission(wanted.permission);
  const { role, projectId } = smallest;
  // A role of the organization counts in every project, so whoever manages one project may not give it.
  if (!actor.permissionsIn(projectId).has("api.role_assignments.write"))
    throw missingPermission("api.role_assignments.write");
  const held = graph.directRoles(principal, projectId).map((one) => one.role);
  if (held.includes(role) || graph.findPermissions(principal, wanted.projectId).has(wanted.permission)) {
    const message = `They hold ${wanted.permission} already. Decline the request.`;
    throw new Refusal(409, "conflict_error", "already_exists", message, { param: "access_request_id" });
  }
  await replaceRoles(context, transaction, actor, { principal, projectId }, [...held, role]);
  return { roleId: role.id, projectId, assignedAtMs: runtime.clock.nowMs() };
}

/** Takes back whatever was given for a time that is over. One that fails is tried again, and holds up no other. */
export async function endGrants(context: GrantContext): Promise<void> {
  const { changes, runningGrants, runtime } = context;
  for (const { id } of runningGrants.listOver(runtime.clock.nowMs()))
    await endGrant(context, id).catch((error: unknown) => changes.logFault("access given for a time", error));
}

/** Looks it up again in the transaction, since another process may have ended it first. */
async function endGrant(context: GrantContext, id: string): Promise<void> {
  const { accessRequests, runtime } = context;
  await systemChange(context, "access given for a time", async (transaction) => {
    const grant = await accessRequests.findRunning(id);
    if (!grant) return;
    const { asked } = grant;
    const leftAlone =
      asked.kind === "rate_limits"
        ? await lowerLimits(context, transaction, grant, asked)
        : await takeRole(context, transaction, grant);
    await accessRequests.end(transaction, id, { atMs: runtime.clock.nowMs(), leftAlone });
  });
}

/**
 * Sets the limits back, except those that somebody has changed since. A limit on which a later grant builds stays until
 * that one ends, which then sets it back to what it was before both.
 * @returns the fields that were left alone.
 */
async function lowerLimits(
  context: GrantContext,
  transaction: Transaction,
  { id, limitsBefore }: AccessRequestRecord,
  { projectId, model: named, limits }: Limits,
): Promise<string[]> {
  const { accessRequests, rateLimitCache, catalogue } = context;
  const model = catalogue.find(named);
  if (!model || limitsBefore === null) return Object.keys(limits);
  const present = rateLimitCache.effectiveLimits(projectId, model);
  const later = (await accessRequests.listRunning()).filter(
    ({ id: other, asked }) =>
      other !== id && asked.kind === "rate_limits" && asked.projectId === projectId && asked.model === named,
  );
  const [change, left]: [RateLimitChange, string[]] = [{}, []];
  for (const field of rateLimitFields) {
    const given = limits[field];
    if (given === undefined) continue;
    const builtOn = later.find((grant) => grant.limitsBefore?.[field] === given);
    if (builtOn) {
      const before = { ...builtOn.limitsBefore, ...pick(limitsBefore, { [field]: given }) };
      await accessRequests.saveLimitsBefore(transaction, builtOn.id, before);
    } else if (present[field] === given) Object.assign(change, pick(limitsBefore, { [field]: given }));
    else left.push(field);
  }
  if (Object.keys(change).length > 0) await setLimits(context, transaction, { projectId, model }, change);
  return left;
}

/** @returns the role if it was left alone: taken away or given again since, or its holder is now the last owner. */
async function takeRole(
  { roles, graph }: GrantContext,
  transaction: Transaction,
  { maker, givenRole }: AccessRequestRecord,
): Promise<string[]> {
  if (givenRole === null) return [];
  const { roleId, projectId, assignedAtMs } = givenRole;
  const principal = { kind: "user", id: maker.id } as const;
  const held = graph.directRoles(principal, projectId).map(({ assignment }) => assignment);
  const remaining = held.filter((one) => one.roleId !== roleId || one.createdAtMs !== assignedAtMs);
  const after = graph.after((records) => records.replaceAssignments(principal, projectId, remaining));
  if (remaining.length === held.length || (graph.hasOwner() && !after.hasOwner())) return [roleId];
  await roles.replaceAssignments(transaction, principal, projectId, remaining);
  return [];
}

/** The fields of `values` that `fields` has. */
function pick(values: RateLimitChange, fields: RateLimitChange): RateLimitChange {
  return Object.fromEntries(
    rateLimitFields.flatMap((field) => (fields[field] === undefined ? [] : [[field, values[field]]])),
  );
}
