import type {
  LimitChangesMade,
  RateLimitPair,
  RateLimitPairQuery,
} from "@/lib/contract/operations/models/rate-limit-changes";
import { listVisibleProjects, narrowTo } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { LimitChangesSummary, SavedLimitChange } from "../../rate-limits/limit-change-store.sql";
import {
  type LimitChangeContext,
  saveLimitChanges,
  UNDO_MS,
  undoLimitChanges,
} from "../../rate-limits/limit-changes";
import { listPairs } from "../../rate-limits/limit-pairs";
import { type LimitUsageContext, readLimitUsage } from "../../rate-limits/limit-usage";
import { notFound } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import { toUnixSeconds } from "../../unix-seconds";
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
      return { ...describe(made), changes: made.changes.map(withVersion(versions)) };
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
        undone: undone ? undone.made.changes.map(withVersion(undone.versions)) : [],
        left: left.map(({ projectId, ...cell }) => ({ project_id: projectId, ...cell })),
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
  const changes = found?.changes.filter(({ projectId }) => visible?.includes(projectId) ?? true) ?? [];
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

function toMadeChange({ projectId, model, before, after }: SavedLimitChange) {
  return { project_id: projectId, model, before: { ...before }, after: { ...after } };
}

const withVersion = (versions: readonly string[]) => (change: SavedLimitChange, index: number) => ({
  ...toMadeChange(change),
  version: versions[index] ?? "",
});
