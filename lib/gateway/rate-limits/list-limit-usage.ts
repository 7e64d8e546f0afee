import { type RateLimitField, type RateLimitValues, rateLimitFields } from "@/lib/contract/rate-limit-table";
import {
  computeUsedShare,
  type LimitHistory,
  type LimitUsageStore,
  type LimitWindows,
  type PairUsage,
  type ProjectModelPair,
} from "./limit-usage";
import type { LimitedModel, RateLimitMirror } from "./rate-limit-mirror";

export interface LimitUsageContext {
  readonly windows: LimitWindows;
  readonly limitUsage: Pick<LimitUsageStore, "readHistory">;
  readonly rateLimitMirror: Pick<RateLimitMirror, "effectiveLimits">;
  readonly catalogue: { find(id: string): LimitedModel | undefined };
}

/** One limit of a project and model: its present use and its history. */
export interface LimitUsageRecord extends Omit<LimitHistory, keyof ProjectModelPair> {
  readonly max: number | null;
  readonly used: number;
}

export interface ModelLimitsUsed extends ProjectModelPair {
  /** Made of both ids. */
  readonly id: string;
  readonly limits: readonly LimitUsageRecord[];
}

export interface LimitUsageFilter {
  /** Null: all projects. */
  readonly projectIds: readonly string[] | null;
  readonly model?: string | undefined;
  readonly near?: boolean | undefined;
}

const NEAR = 0.8;

/** Reads the history once. `look` then returns the present use, as often as needed. */
export async function readLimitUsage(context: LimitUsageContext, filter: LimitUsageFilter, nowMs: number) {
  const historyByLimit = new Map<string, LimitHistory>();
  const pairs = new Map<string, ProjectModelPair>();
  const isAsked = ({ projectId, model }: ProjectModelPair) =>
    (filter.projectIds?.includes(projectId) ?? true) &&
    (filter.model === undefined || filter.model === model);
  for (const history of await context.limitUsage.readHistory(filter.projectIds, nowMs)) {
    if (!isAsked(history)) continue;
    historyByLimit.set(`${formatPairId(history)} ${history.field}`, history);
    pairs.set(formatPairId(history), { projectId: history.projectId, model: history.model });
  }
  return {
    /** Sorted by project and model. */
    async read(): Promise<ModelLimitsUsed[]> {
      for (const pair of context.windows.touched()) if (isAsked(pair)) pairs.set(formatPairId(pair), pair);
      const uses = await context.windows.readUsage([...pairs.values()]);
      return uses
        .flatMap((pair) => describePair(context, pair, historyByLimit) ?? [])
        .filter(({ limits }) => !filter.near || limits.some(isNear))
        .toSorted((history, other) => (history.id < other.id ? -1 : 1));
    },
  };
}

/** Null for a deleted model, and for one that was never used. */
function describePair(
  { catalogue, rateLimitMirror }: LimitUsageContext,
  pair: PairUsage,
  historyByLimit: ReadonlyMap<string, LimitHistory>,
): ModelLimitsUsed | null {
  const { projectId, model: name, used } = pair;
  const model = catalogue.find(name);
  if (!model) return null;
  const id = formatPairId(pair);
  const values = rateLimitMirror.effectiveLimits(projectId, model);
  const limits = rateLimitFields
    .map((field) => describeLimit(field, values, used[field], historyByLimit.get(`${id} ${field}`)))
    .filter((limit) => limit.weekPeak > 0 || limit.weekRefusals > 0);
  return limits.length > 0 ? { id, projectId, model: name, limits } : null;
}

function describeLimit(
  field: RateLimitField,
  values: RateLimitValues,
  used: number,
  history: LimitHistory | undefined,
): LimitUsageRecord {
  const { dayPeak = 0, weekPeak = 0, dayRefusals = 0, weekRefusals = 0 } = history ?? {};
  const now = Math.ceil(used);
  return {
    field,
    max: values[field],
    used: now,
    dayPeak: Math.max(now, dayPeak),
    weekPeak: Math.max(now, weekPeak),
    dayRefusals,
    weekRefusals,
  };
}

function isNear({ max, dayPeak, dayRefusals }: LimitUsageRecord): boolean {
  return dayRefusals > 0 || (computeUsedShare(max, dayPeak) ?? 0) >= NEAR;
}

function formatPairId({ projectId, model }: ProjectModelPair): string {
  return `${projectId}/${model}`;
}
