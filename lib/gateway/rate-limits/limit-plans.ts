import { newId } from "@/lib/contract/ids";
import {
  type LimitPlanObject,
  rateLimitPlan as schema,
} from "@/lib/contract/operations/models/rate-limit-plans";
import { foldName } from "@/lib/contract/plain-text";
import { findVersionedFields } from "@/lib/contract/version";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import { type ClockAndRandom, toUnixSeconds } from "../clock";
import { hashVersion } from "../object-version";
import type { ProjectCache } from "../projects/projects";
import { refuseArchived } from "../projects/projects";
import { conflict, notFound } from "../refusal";
import { EVERY_MODEL, type LimitPlan, type LimitPlanStore } from "./limit-plan-store.sql";
import type { LimitPlanCache } from "./rate-limits";

export interface LimitPlanContext extends ChangeContext {
  readonly limitPlans: LimitPlanStore;
  readonly limitPlanCache: LimitPlanCache;
  readonly projectCache: ProjectCache;
  readonly runtime: ClockAndRandom;
}

/** The id that a plan's projects are moved to if they are to follow none. */
const DEFAULTS = "defaults";

/** Projects moved before other requests are served: a few milliseconds. */
const MOVED_AT_ONCE = 250;

/** @throws Refusal 404. */
export function findPlan(
  { limitPlanCache }: Pick<LimitPlanContext, "limitPlanCache">,
  id: string,
): LimitPlan {
  const plan = limitPlanCache.find(id);
  if (!plan) throw notFound("plan", id, "plan_id");
  return plan;
}

/** A plan in the API's form, without its version. */
export function describePlan(
  { limitPlanCache, projectCache }: Pick<LimitPlanContext, "limitPlanCache" | "projectCache">,
  { id, name, createdAtMs, limits }: LimitPlan,
): LimitPlanObject {
  const models = [...limits.keys()].toSorted();
  const followers = limitPlanCache.listFollowers(id);
  return {
    object: "rate_limit.plan",
    id,
    name,
    created_at: toUnixSeconds(createdAtMs),
    limits: models.map((model) => ({ model: model === EVERY_MODEL ? null : model, ...limits.get(model) })),
    projects: followers.filter((projectId) => projectCache.find(projectId)?.archivedAtMs === null).length,
  };
}

const versionedFields = findVersionedFields(schema) ?? [];

export function versionOfPlan(plan: LimitPlanObject): string {
  return hashVersion(plan, versionedFields);
}

/** @throws Refusal 409 if a plan has the name, or one that looks like it. */
function refuseTakenName({ limitPlanCache }: LimitPlanContext, name: string, ownId: string | null): void {
  const namesake = limitPlanCache
    .list()
    .find((one) => one.id !== ownId && foldName(one.name) === foldName(name));
  if (namesake)
    throw conflict("name", `There is a plan "${namesake.name}" already; give this one another name.`);
}

/** @throws Refusal 409 if its name is taken. */
export async function createPlan(
  context: LimitPlanContext,
  request: ChangeRequest,
  name: string,
): Promise<LimitPlan> {
  const { clock, random } = context.runtime;
  return change(context, request, async (transaction) => {
    refuseTakenName(context, name, null);
    const createdAtMs = clock.nowMs();
    const plan = { id: newId("rlplan", createdAtMs, random), name, createdAtMs, limits: new Map() };
    await context.limitPlans.insert(transaction, plan);
    return plan;
  });
}

/** @throws Refusal 404; 409 if the name is taken. */
export async function renamePlan(
  context: LimitPlanContext,
  request: ChangeRequest,
  id: string,
  name: string,
): Promise<LimitPlan> {
  await change(context, request, async (transaction) => {
    findPlan(context, id);
    refuseTakenName(context, name, id);
    await context.limitPlans.rename(transaction, id, name);
  });
  return findPlan(context, id);
}

/**
 * Deletes a plan. Its projects follow another one then, or none.
 * @param moveTo a plan's id, or `defaults`.
 * @throws Refusal 404; 409 if projects follow it and `moveTo` is absent.
 */
export function deletePlan(
  context: LimitPlanContext,
  request: ChangeRequest,
  id: string,
  moveTo: string | undefined,
): Promise<void> {
  return change(context, request, async (transaction) => {
    findPlan(context, id);
    const followers = context.limitPlanCache.listFollowers(id);
    const target = moveTo === undefined || moveTo === DEFAULTS ? null : context.limitPlanCache.find(moveTo);
    if (target === undefined || target?.id === id) throw notFound("other plan", moveTo ?? "", "move_to");
    if (followers.length > 0 && moveTo === undefined) {
      const who = followers.length === 1 ? "A project follows" : `${followers.length} projects follow`;
      const message = `${who} this plan: say in move_to which plan they follow then, or "${DEFAULTS}".`;
      throw conflict("move_to", message, "in_use");
    }
    await move(context, transaction, followers, target?.id ?? null);
    await context.limitPlans.delete(transaction, id);
  });
}

/**
 * Lets projects follow a plan, or stop to.
 * @throws Refusal 404 for a plan or project that there isn't; 409 for an archived project.
 */
export async function changeFollowers(
  context: LimitPlanContext,
  request: ChangeRequest,
  id: string,
  { add = [], remove = [] }: { add?: readonly string[] | undefined; remove?: readonly string[] | undefined },
): Promise<LimitPlan> {
  const { limitPlanCache, projectCache } = context;
  await change(context, request, async (transaction) => {
    findPlan(context, id);
    for (const [list, ids] of [["add", add] as const, ["remove", remove] as const]) {
      for (const [index, projectId] of ids.entries()) {
        const project = projectCache.find(projectId);
        if (!project) throw notFound("project", projectId, `${list}[${index}]`);
        if (list === "add") refuseArchived(project, `${list}[${index}]`);
      }
    }
    const follows = (projectId: string) => limitPlanCache.planOf(projectId)?.id === id;
    const begin = [...new Set(add)].filter((projectId) => !follows(projectId));
    await move(context, transaction, begin, id);
    await move(context, transaction, [...new Set(remove)].filter(follows), null);
  });
  return findPlan(context, id);
}

async function move(
  { limitPlans, runtime }: LimitPlanContext,
  transaction: Transaction,
  projects: readonly string[],
  planId: string | null,
): Promise<void> {
  const nowMs = runtime.clock.nowMs();
  for (const [index, projectId] of projects.entries()) {
    if (index > 0 && index % MOVED_AT_ONCE === 0) await new Promise(setImmediate);
    await limitPlans.follow(transaction, { projectId, planId }, nowMs);
  }
}
