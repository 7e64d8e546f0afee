import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { type RateLimitPair, rateLimitPair } from "@/lib/contract/operations/models/rate-limit-changes";
import { foldName } from "@/lib/contract/plain-text";
import { findVersionedFields } from "@/lib/contract/version";
import { hashVersion } from "../object-version";
import type { ProjectRecord } from "../projects/project-store.sql";
import type { ProjectCache } from "../projects/projects";
import { invalid } from "../refusal";
import type { LimitedModel, RateLimitCache } from "./rate-limits";

export interface LimitPairContext {
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
