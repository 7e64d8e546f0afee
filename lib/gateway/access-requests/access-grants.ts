import type { ChangeContext } from "../changes/change";
import { CachedRows, type TableCache } from "../changes/table-cache";
import type { Transaction } from "../changes/transactions.sql";
import type { SpendLimitContext } from "../ledger/spend-limits/spend-limits";
import { findModel, type ModelContext, saveProjects } from "../models/models";
import { findUser, type UserCache } from "../people/members";
import type { ModelPermissionContext, ProjectCache } from "../projects/projects";
import type { RateLimitCache, RateLimitContext } from "../rate-limits/rate-limits";
import { conflict, missingPermission, Refusal } from "../refusal";
import type { Actor } from "../roles/actor";
import { findSmallestRoleFor, replaceRoles, type SmallestRole } from "../roles/role-assignments";
import type { RoleContext } from "../roles/roles";
import {
  type AccessRequestRecord,
  type AccessRequestStore,
  type AskedOf,
  type GivenAccess,
  NOTHING_GIVEN,
} from "./access-request-store.sql";

type Wanted = AskedOf<"permission">;
type Given = AccessRequestRecord["given"];

/** @throws Refusal 404 for no such model; 409 for one that the project may call. */
export function readModel(context: GrantContext, projectId: string, named: string): AskedOf<"model"> {
  const { id: model } = findModel(context.catalogue, named);
  if (!context.modelPermissionCache.allows(projectId, model)) return { kind: "model", projectId, model };
  throw conflict("model", `The project may call "${model}". For higher limits of it, name them in limits.`);
}

/**
 * Lets a project call a model, by its own list and, where that doesn't decide alone, by the model's projects.
 * @throws Refusal 409 if it may call it by now; 403 without api.models.write where the model's projects are to change,
 * and for those of a model in the configuration file.
 */
export async function allowModel(
  context: GrantContext,
  transaction: Transaction,
  actor: Actor,
  { projectId, model: named }: AskedOf<"model">,
): Promise<Given> {
  const { modelPermissionCache, catalogue } = context;
  const model = findModel(catalogue, named);
  if (modelPermissionCache.allows(projectId, model.id))
    throw conflict("access_request_id", `The project may call "${model.id}" by now. Decline the request.`);
  const list = modelPermissionCache.find(projectId);
  const givenAccess: GivenAccess[] = [];
  if (list && (list.mode === "allow_list" || list.modelIds.has(model.id))) {
    await setInList(context, transaction, { projectId, model: model.id }, list.mode === "allow_list");
    givenAccess.push(list.mode);
  }
  const { projects } = model;
  if (list?.mode !== "allow_list" && projects !== null && !projects.has(projectId)) {
    if (!actor.permissionsIn(null).has("api.models.write")) throw missingPermission("api.models.write");
    await saveProjects(context, transaction, model, [...projects, projectId]);
    givenAccess.push("projects");
  }
  return { ...NOTHING_GIVEN, givenAccess };
}

/** @returns the model if it was left alone, since somebody has changed since what lets the project call it. */
export async function disallowModel(
  context: GrantContext,
  transaction: Transaction,
  { given: { givenAccess } }: AccessRequestRecord,
  { projectId, model: named }: AskedOf<"model">,
): Promise<string[]> {
  const list = context.modelPermissionCache.find(projectId);
  const model = context.catalogue.find(named);
  let isLeft = false;
  for (const access of givenAccess ?? []) {
    if (access === "projects") {
      const projects = model?.projects;
      if (model && projects?.has(projectId)) {
        const remaining = [...projects].filter((id) => id !== projectId);
        await saveProjects(context, transaction, model, remaining);
      } else isLeft = true;
    } else if (list?.mode === access && list.modelIds.has(named) === (access === "allow_list"))
      await setInList(context, transaction, { projectId, model: named }, access === "deny_list");
    else isLeft = true;
  }
  return isLeft ? [named] : [];
}

/** Puts a model into the project's list, or takes it out. */
async function setInList(
  { modelPermissions, modelPermissionCache, runtime }: GrantContext,
  transaction: Transaction,
  { projectId, model }: { readonly projectId: string; readonly model: string },
  isIn: boolean,
): Promise<void> {
  const list = modelPermissionCache.find(projectId);
  if (!list) return;
  const modelIds = new Set(list.modelIds);
  if (isIn) modelIds.add(model);
  else modelIds.delete(model);
  await modelPermissions.save(transaction, { ...list, modelIds }, runtime.clock.nowMs());
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
): Promise<Given> {
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
  const givenRole = { roleId: role.id, projectId, assignedAtMs: runtime.clock.nowMs() };
  return { ...NOTHING_GIVEN, givenRole };
}

/** @returns the role if it was left alone: taken away or given again since, or its holder is now the last owner. */
export async function takeRole(
  { roles, graph }: GrantContext,
  transaction: Transaction,
  { maker, given: { givenRole } }: AccessRequestRecord,
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

/** Grants with an end, in memory, so that finding ended ones needs no read. */
export class RunningGrants {
  readonly #rows = new CachedRows<AccessRequestRecord>();

  /** The grants whose time is over, oldest first. */
  listOver(nowMs: number): AccessRequestRecord[] {
    return this.#rows.list().filter(({ endsAtMs }) => endsAtMs !== null && endsAtMs <= nowMs);
  }

  following(store: Pick<AccessRequestStore, "listRunning" | "findRunning">): TableCache {
    return this.#rows.following("access_requests", { list: store.listRunning, find: store.findRunning });
  }
}

export interface GrantContext
  extends ChangeContext,
    RateLimitContext,
    RoleContext,
    SpendLimitContext,
    ModelPermissionContext,
    Pick<ModelContext, "models"> {
  readonly accessRequests: AccessRequestStore;
  readonly runningGrants: RunningGrants;
  readonly catalogue: ModelContext["catalogue"];
  readonly rateLimitCache: RateLimitCache;
  readonly projectCache: ProjectCache;
  readonly userCache: UserCache;
}
