import { ORGANIZATION_DEFAULTS, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import {
  type DraftedLimitChange,
  type RateLimitPair,
  rateLimitPair,
} from "@/lib/contract/operations/models/rate-limit-changes";
import type { LimitEdit } from "@/lib/contract/operations/models/rate-limits";
import { foldName } from "@/lib/contract/plain-text";
import { findVersionedFields } from "@/lib/contract/version";
import type { Caller } from "../access/caller";
import {
  describeLimitDefault,
  findOwn,
  type LimitDefaultContext,
  versionOfDefault,
} from "../models/limit-defaults";
import { hashVersion } from "../object-version";
import type { ProjectRecord } from "../projects/project-store.sql";
import { type ProjectCache, refuseArchived } from "../projects/projects";
import { invalid, missingPermission, notFound, Refusal } from "../refusal";
import type { LimitPlace } from "./limit-change-store.sql";
import { EVERY_MODEL, type LimitPlan } from "./limit-plan-store.sql";
import { describePlan, versionOfPlan } from "./limit-plans";
import type { OwnLimits } from "./rate-limit-store.sql";
import type { LimitedModel, LimitPlanCache, RateLimitCache } from "./rate-limits";

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

interface LimitPairContext {
  readonly rateLimitCache: RateLimitCache;
  readonly projectCache: ProjectCache;
  readonly catalogue: { list(): readonly LimitedModel[]; find(id: string): LimitedModel | undefined };
}

const versionedFields = findVersionedFields(rateLimitPair) ?? [];

/** The limits of a model in a project, without their version. */
export function describePair(
  {
    rateLimitCache,
  }: { readonly rateLimitCache: Pick<RateLimitCache, "ownLimits" | "effectiveLimits" | "planOf"> },
  { id: projectId, name }: Pick<ProjectRecord, "id" | "name">,
  model: LimitedModel,
): RateLimitPair {
  const own = rateLimitCache.ownLimits(projectId, model.id);
  return {
    object: "organization.rate_limit",
    id: formatPairId(projectId, model.id),
    project_id: projectId,
    project_name: name,
    model: model.id,
    ...rateLimitCache.effectiveLimits(projectId, model),
    own_fields: rateLimitFields.filter((field) => own[field] !== undefined),
    plan_id: rateLimitCache.planOf(projectId),
  };
}

/** The version that a list of pairs shows. */
export function versionOfPair(pair: RateLimitPair): string {
  return hashVersion(pair, versionedFields);
}

function formatPairId(projectId: string, model: string): string {
  return `${projectId}/${model}`;
}

interface PairFilter {
  /** Null: all projects. */
  readonly projectIds: readonly string[] | null;
  readonly models?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly setByHand?: boolean | undefined;
}

/** Pairs looked at before other requests are served: a few milliseconds. */
const LOOKED_AT_ONCE = 2_000;

interface PairPage {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/**
 * Lists pairs by project and then by model, a page at a time: no page makes more of them than it shows.
 * @returns one more than `limit` if there are more, at the far end.
 * @throws Refusal 400 for a position that is not in the list.
 */
export async function listPairs(
  context: LimitPairContext,
  filter: PairFilter,
  { after, before, limit }: PairPage,
): Promise<RateLimitPair[]> {
  const isBackwards = before !== undefined && after === undefined;
  const [projects, models] = [listProjects(context, filter), listModels(context, filter)];
  const start = after === undefined ? -1 : findPosition("after", after, projects, models);
  const end =
    before === undefined ? projects.length * models.length : findPosition("before", before, projects, models);
  const step = isBackwards ? -1 : 1;
  const words = foldName(filter.search ?? "")
    .split(" ")
    .filter(Boolean);
  const found: RateLimitPair[] = [];
  let looks = 0;
  for (
    let at = isBackwards ? end - 1 : start + 1;
    at > start && at < end && found.length <= limit;
    at += step
  ) {
    if (++looks % LOOKED_AT_ONCE === 0) await new Promise(setImmediate);
    const [project, model] = [projects[Math.floor(at / models.length)], models[at % models.length]];
    if (project && model && isFound(context, filter, words, project, model))
      found.push(describePair(context, project, model));
  }
  return isBackwards ? found.toReversed() : found;
}

/** By id, so that a page goes on where the one before ended, whatever is made or renamed meanwhile. */
function listProjects({ projectCache }: LimitPairContext, { projectIds }: PairFilter): ProjectRecord[] {
  const visible = projectIds && new Set(projectIds);
  return projectCache
    .list()
    .filter(({ id, archivedAtMs }) => archivedAtMs === null && (visible?.has(id) ?? true))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

function listModels({ catalogue }: LimitPairContext, { models }: PairFilter): readonly LimitedModel[] {
  return models ? catalogue.list().filter(({ id }) => models.includes(id)) : catalogue.list();
}

function findPosition(
  param: "after" | "before",
  id: string,
  projects: readonly ProjectRecord[],
  models: readonly LimitedModel[],
): number {
  // A model's id may have slashes itself, a project's has none.
  const slash = id.indexOf("/");
  const project = projects.findIndex((one) => one.id === id.slice(0, slash));
  const model = models.findIndex((one) => one.id === id.slice(slash + 1));
  if (project >= 0 && model >= 0) return project * models.length + model;
  throw invalid(param, `"${id}" is not in this list; pass the id of an object the list returned.`);
}

function isFound(
  { rateLimitCache }: LimitPairContext,
  { setByHand }: PairFilter,
  words: readonly string[],
  project: ProjectRecord,
  model: LimitedModel,
): boolean {
  if (setByHand !== undefined) {
    const isOwn = Object.keys(rateLimitCache.ownLimits(project.id, model.id)).length > 0;
    if (isOwn !== setByHand) return false;
  }
  if (words.length === 0) return true;
  const names = foldName(`${project.name} ${model.id}`);
  return words.every((word) => names.includes(word) || project.id.startsWith(word));
}
