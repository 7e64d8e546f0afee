import type {
  LimitChangesMade,
  RateLimitPair,
  RateLimitPairQuery,
} from "@/lib/contract/operations/models/rate-limit-changes";
import type { RateLimitDefault } from "@/lib/contract/operations/models/rate-limit-defaults";
import { listVisibleProjects, narrowTo } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import { listLimitDefaults, versionOfDefault } from "../../models/limit-defaults";
import type { LimitChangesSummary, SavedLimitChange } from "../../rate-limits/limit-change-store.sql";
import {
  type LimitChangeContext,
  saveLimitChanges,
  UNDO_MS,
  undoLimitChanges,
} from "../../rate-limits/limit-changes";
import { describePlan, findPlan, versionOfPlan } from "../../rate-limits/limit-plans";
import { type LimitUsageContext, readLimitUsage } from "../../rate-limits/limit-usage";
import { listPairs, nameOf } from "../../rate-limits/plan-limit-changes";
import { notFound } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { toUsageEntry } from "../usage/limit-usage";

interface Context extends LimitChangeContext, Pick<LimitUsageContext, "windows" | "limitUsage"> {
  readonly graph: AccessGraph;
}

type Ids =
  | "listOrganizationRateLimits"
  | "createRateLimitChanges"
  | "listRateLimitChanges"
  | "retrieveRateLimitChanges"
  | "undoRateLimitChanges";

const DEFAULT_LIMIT = 100;

export function rateLimitChangeRoutes(context: Context): Handlers<Ids> {
  return {
    listOrganizationRateLimits: ({ query, caller }) => listLimits(context, query, caller),
    createRateLimitChanges: async ({ body, caller, request }) => {
      const { made, versions } = await saveLimitChanges(context, request, caller, body.changes);
      return { ...describe(made), changes: await describeSaved(context, made.changes, versions) };
    },
    listRateLimitChanges: ({ query, caller }) =>
      paginate(context.limitChanges.pages(findVisible(context, caller)), query, describe),
    retrieveRateLimitChanges: async ({ params: { changes_id: id }, caller }) =>
      describeChanges(context, caller, id),
    undoRateLimitChanges: async ({ params: { changes_id: id }, caller, request }) => {
      const { undone, left } = await undoLimitChanges(context, request, caller, id);
      return {
        object: "rate_limits.undo" as const,
        id: undone?.made.id ?? null,
        undone: undone ? await describeSaved(context, undone.made.changes, undone.versions) : [],
        left: left.map(({ field, by, ...place }) => ({ ...nameOf(place), field, by })),
      };
    },
  };
}

function findVisible({ graph }: Context, caller: Caller): string[] | null {
  return listVisibleProjects(graph, caller, "api.rate_limits.read");
}

async function listLimits(context: Context, query: RateLimitPairQuery, caller: Caller) {
  const { after, before, limit = DEFAULT_LIMIT, search, usage } = query;
  const visible = findVisible(context, caller);
  const projectIds = query.project_id?.flatMap((id) => narrowTo(visible, id) ?? []) ?? visible;
  const filter = { projectIds, models: query.model, search, setByHand: query.set_by_hand };
  const pairs = await listPairs(context, filter, { after, before, limit });
  const isBackwards = before !== undefined && after === undefined;
  const page = isBackwards ? pairs.slice(-limit) : pairs.slice(0, limit);
  return {
    object: "list" as const,
    data: usage ? await addUsage(context, page) : page,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: pairs.length > limit,
  };
}

async function addUsage(context: Context, page: readonly RateLimitPair[]): Promise<RateLimitPair[]> {
  const projectIds = [...new Set(page.map(({ project_id }) => project_id))];
  const used = await readLimitUsage(context, { projectIds }, context.runtime.clock.nowMs());
  const limitsById = new Map((await used.read()).map(({ id, limits }) => [id, limits]));
  return page.map((pair) => ({ ...pair, usage: limitsById.get(pair.id)?.map(toUsageEntry) ?? [] }));
}

async function describeChanges(context: Context, caller: Caller, id: string): Promise<LimitChangesMade> {
  const found = await context.limitChanges.find(id);
  const visible = findVisible(context, caller);
  const changes =
    found?.changes.filter(
      ({ projectId }) => visible === null || (projectId !== null && visible.includes(projectId)),
    ) ?? [];
  if (!found || changes.length === 0) throw notFound("change of rate limits", id, "changes_id");
  return { ...describe(found), changes: changes.map(toMadeChange) };
}

function describe({ id, createdAtMs, maker, size, undoes, undoneBy }: LimitChangesSummary) {
  return {
    object: "rate_limits.changes" as const,
    id,
    created_at: toUnixSeconds(createdAtMs),
    made_by: maker,
    size,
    undo_until: undoneBy === null ? toUnixSeconds(createdAtMs + UNDO_MS) : null,
    undoes,
    undone_by: undoneBy,
  };
}

function toMadeChange({ before, after, ...place }: SavedLimitChange) {
  return { ...nameOf(place), before: { ...before }, after: { ...after } };
}

/** What was saved, each with the version of what it is part of. */
async function describeSaved(
  context: Context,
  changes: readonly SavedLimitChange[],
  versions: readonly (string | null)[],
) {
  const defaults = versions.includes(null) ? await listLimitDefaults(context) : [];
  return changes.map((change, index) => ({
    ...toMadeChange(change),
    version: versions[index] ?? findVersion(context, defaults, change),
  }));
}

function findVersion(
  context: Context,
  defaults: readonly RateLimitDefault[],
  place: SavedLimitChange,
): string {
  if (place.planId !== null) return versionOfPlan(describePlan(context, findPlan(context, place.planId)));
  const saved = defaults.find(({ model }) => model === (place.model || null));
  return saved ? versionOfDefault(saved) : "";
}
