import { ORGANIZATION_DEFAULTS, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import type { DraftedLimitChange } from "@/lib/contract/operations/models/rate-limit-changes";
import type { LimitEdit } from "@/lib/contract/operations/models/rate-limits";
import type { Caller } from "../access/caller";
import {
  describeLimitDefault,
  findOwn,
  type LimitDefaultContext,
  versionOfDefault,
} from "../models/limit-defaults";
import type { ProjectRecord } from "../projects/project-store.sql";
import { refuseArchived } from "../projects/projects";
import { invalid, missingPermission, notFound, Refusal } from "../refusal";
import type { LimitPlace } from "./limit-change-store.sql";
import { describePair, type LimitPairContext, versionOfPair } from "./limit-pairs";
import type { LimitPlanCache } from "./limit-plan-cache";
import { EVERY_MODEL, type LimitPlan } from "./limit-plan-store.sql";
import { describePlan, versionOfPlan } from "./limit-plans";
import type { OwnLimits } from "./rate-limit-store.sql";
import type { LimitedModel } from "./rate-limits";

/** Whose limits: those of a project and model, of a plan, or the defaults. `modelId` is empty for every model. */
export type LimitTarget =
  | { readonly kind: "project"; readonly project: ProjectRecord; readonly model: LimitedModel }
  | { readonly kind: "plan"; readonly plan: LimitPlan; readonly modelId: string }
  | { readonly kind: "default"; readonly modelId: string };

/** What is to be done to the limits of a target. */
export interface PlannedChange {
  readonly target: LimitTarget;
  readonly edit: LimitEdit;
  /** What is set there before. */
  readonly own: OwnLimits;
}

export interface LimitTargetContext extends LimitPairContext, LimitDefaultContext {
  readonly catalogue: LimitDefaultContext["catalogue"];
  readonly limitPlanCache: LimitPlanCache;
}

/** Changes planned before other requests are served: a few milliseconds. */
export const PLANNED_AT_ONCE = 250;

type TargetNames = Pick<DraftedLimitChange, "project_id" | "plan_id" | "default_id" | "model">;

/**
 * What drafted changes would do.
 * @throws Refusal 400, 403 or 404 that names the change by its position; 412 with those that others have changed.
 */
export async function planChanges(
  context: LimitTargetContext,
  caller: Caller,
  drafts: readonly DraftedLimitChange[],
): Promise<PlannedChange[]> {
  const positions = new Map<string, number>();
  const planned: PlannedChange[] = [];
  const stale: unknown[] = [];
  const find = await openTargets(context, caller);
  for (const [index, { version, ...draft }] of drafts.entries()) {
    if (index > 0 && index % PLANNED_AT_ONCE === 0) await new Promise(setImmediate);
    const { project_id, plan_id, default_id, model, ...edit } = draft;
    const names = { project_id, plan_id, default_id, model };
    const at = `changes[${index}]`;
    const { target, own, theirs } = find(names, at);
    const key = keyOf(placeOf(target));
    const earlier = positions.get(key);
    if (earlier !== undefined)
      throw invalid(at, `changes[${earlier}] and ${at} change the same limits: make them one.`);
    positions.set(key, index);
    const present = theirs();
    if (version !== undefined && version !== present.version)
      stale.push({ ...nameOf(placeOf(target)), theirs: present, ours: edit });
    planned.push({ target, edit, own });
  }
  if (stale.length > 0) throw refuseStale(stale, drafts.length);
  return planned;
}

interface FoundTarget {
  readonly target: LimitTarget;
  readonly own: OwnLimits;
  /** The object that the limits are part of, as it is now. */
  theirs(): { readonly version: string };
}

/** Finds targets by their names, and refuses those that the caller may not change. */
async function openTargets(context: LimitTargetContext, caller: Caller) {
  const { catalogue, limitPlanCache, rateLimitCache } = context;
  const stored = await context.models.limitDefaults.list();
  const projects = new Map<string, ProjectRecord>();
  const findModel = (id: string, param: string) => {
    const model = catalogue.find(id);
    if (!model) throw notFound("model", id, param);
    return model;
  };
  const findPlan = (id: string, at: string): LimitPlan => {
    const plan = limitPlanCache.find(id);
    if (!plan || !caller.holdsAnywhere("api.rate_limits.read")) throw notFound("plan", id, `${at}.plan_id`);
    refuseNotOrganization(caller);
    return plan;
  };
  return ({ project_id, plan_id, default_id, model: named }: TargetNames, at: string): FoundTarget => {
    if (project_id !== undefined) {
      const project = projects.get(project_id) ?? findWritable(context, caller, project_id, at);
      projects.set(project_id, project);
      const model = findModel(named ?? "", `${at}.model`);
      const theirs = () => {
        const pair = describePair(context, project, model);
        return { ...pair, version: versionOfPair(pair) };
      };
      const own = rateLimitCache.ownLimits(project.id, model.id);
      return { target: { kind: "project", project, model }, own, theirs };
    }
    if (plan_id !== undefined) {
      const plan = findPlan(plan_id, at);
      const modelId = typeof named === "string" ? findModel(named, `${at}.model`).id : EVERY_MODEL;
      const theirs = () => {
        const described = describePlan(context, plan);
        return { ...described, version: versionOfPlan(described) };
      };
      return { target: { kind: "plan", plan, modelId }, own: plan.limits.get(modelId) ?? {}, theirs };
    }
    const id = default_id ?? "";
    refuseNotOrganization(caller);
    const modelId = id === ORGANIZATION_DEFAULTS ? EVERY_MODEL : findModel(id, `${at}.default_id`).id;
    const theirs = () => {
      const described = describeLimitDefault(context, stored, id);
      return { ...described, version: versionOfDefault(described) };
    };
    return { target: { kind: "default", modelId }, own: findOwn(stored, id), theirs };
  };
}

/** @throws Refusal 403. What every project follows is changed by those who may change the limits of all. */
function refuseNotOrganization(caller: Caller): void {
  if (!caller.permissionsIn(null).has("api.rate_limits.write"))
    throw missingPermission("api.rate_limits.write");
}

function findWritable(
  { projectCache }: LimitTargetContext,
  caller: Caller,
  id: string,
  at: string,
): ProjectRecord {
  const project = projectCache.find(id);
  const held = caller.permissionsIn(id);
  // Whoever may not read a project's limits doesn't learn that there is such a project.
  if (!project || !held.has("api.rate_limits.read")) throw notFound("project", id, `${at}.project_id`);
  if (!held.has("api.rate_limits.write")) throw missingPermission("api.rate_limits.write");
  refuseArchived(project);
  return project;
}

export function placeOf(target: LimitTarget): LimitPlace {
  if (target.kind === "project")
    return { projectId: target.project.id, planId: null, model: target.model.id };
  return { projectId: null, planId: target.kind === "plan" ? target.plan.id : null, model: target.modelId };
}

/** A text that no two places share. */
export function keyOf({ projectId, planId, model }: LimitPlace): string {
  return `${projectId ?? planId ?? "default"} ${model}`;
}

/** A place as requests and replies name it. */
export function nameOf({ projectId, planId, model }: LimitPlace): TargetNames {
  if (projectId !== null) return { project_id: projectId, model };
  if (planId !== null) return { plan_id: planId, model: model === EVERY_MODEL ? null : model };
  return { default_id: model === EVERY_MODEL ? ORGANIZATION_DEFAULTS : model };
}

/** How the limits that `fields` has are set: "default" where nothing is. */
export function readEdit(own: OwnLimits, fields: LimitEdit): LimitEdit {
  return Object.fromEntries(
    rateLimitFields.flatMap((field) =>
      fields[field] === undefined ? [] : [[field, own[field] === undefined ? "default" : own[field]]],
    ),
  );
}

function refuseStale(stale: readonly unknown[], of: number): Refusal {
  const which = of === 1 ? "These limits were" : `${stale.length} of ${of} were`;
  const message = `${which} changed by somebody else since you read them, and nothing was saved. Compare with \`current\`, and save again with its versions.`;
  return new Refusal(412, "conflict_error", "stale_version", message, { param: "changes", current: stale });
}
