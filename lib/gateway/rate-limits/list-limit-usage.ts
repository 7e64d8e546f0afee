import { isNearLimit } from "@/lib/contract/calls/near-limit";
import {
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import type { LimitHistory, LimitUsageStore, LimitWindows, PairUsage, ProjectModelPair } from "./limit-usage";
import type { LimitedModel, RateLimitMirror } from "./rate-limit-mirror";
import { readUsageInBatches } from "./read-usage-in-batches";

export interface LimitUsageContext {
  readonly windows: LimitWindows;
  readonly limitUsage: Pick<LimitUsageStore, "readHistory">;
  readonly rateLimitMirror: Pick<RateLimitMirror, "effectiveLimits">;
  readonly catalogue: { find(id: string): LimitedModel | undefined };
}

/** One limit of a project and model: its present use and its history. */
interface LimitUsageRecord extends Omit<LimitHistory, keyof ProjectModelPair> {
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

/** Reads the history once. `read` then returns the present use, as often as needed. */
export async function readLimitUsage(context: LimitUsageContext, filter: LimitUsageFilter, nowMs: number) {
  const histories = new Map<string, HistoryOfPair>();
  const isAsked = ({ projectId, model }: ProjectModelPair) =>
    (filter.projectIds?.includes(projectId) ?? true) &&
    (filter.model === undefined || filter.model === model);
  for (const history of await context.limitUsage.readHistory(filter.projectIds, nowMs)) {
    if (!isAsked(history)) continue;
    const { projectId, model, field } = history;
    const id = formatPairId(history);
    const ofPair = histories.get(id) ?? { pair: { projectId, model }, byField: {} };
    histories.set(id, ofPair);
    ofPair.byField[field] = history;
  }
  const asked = [...histories.values()].filter(({ pair, byField }) =>
    filter.near ? wasNear(context, pair, byField) : true,
  );
  const pairs = new Map(asked.map(({ pair }) => [formatPairId(pair), pair]));
  return {
    /** Sorted by project and model. */
    async read(): Promise<ModelLimitsUsed[]> {
      for (const pair of context.windows.touched()) if (isAsked(pair)) pairs.set(formatPairId(pair), pair);
      const described: ModelLimitsUsed[] = [];
      for await (const uses of readUsageInBatches(context.windows, [...pairs.values()])) {
        for (const pair of uses) {
          const limitsUsed = describePair(context, pair, histories.get(formatPairId(pair))?.byField ?? {});
          if (limitsUsed && (!filter.near || limitsUsed.limits.some(isNear))) described.push(limitsUsed);
        }
      }
      return described.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    },
  };
}

type HistoryByField = Partial<Record<RateLimitField, LimitHistory>>;

interface HistoryOfPair {
  readonly pair: ProjectModelPair;
  readonly byField: HistoryByField;
}

/** Whether a pair that has no present calls came near one of its limits before. */
function wasNear(
  { catalogue, rateLimitMirror }: LimitUsageContext,
  { projectId, model: name }: ProjectModelPair,
  byField: HistoryByField,
): boolean {
  const model = catalogue.find(name);
  if (!model) return false;
  const values = rateLimitMirror.effectiveLimits(projectId, model);
  return Object.values(byField).some((history) => isNear({ ...history, max: values[history.field] }));
}

/** Null for a deleted model, and for one that was never used. */
function describePair(
  { catalogue, rateLimitMirror }: LimitUsageContext,
  pair: PairUsage,
  byField: HistoryByField,
): ModelLimitsUsed | null {
  const { projectId, model: name, used } = pair;
  const model = catalogue.find(name);
  if (!model) return null;
  const id = formatPairId(pair);
  const values = rateLimitMirror.effectiveLimits(projectId, model);
  const limits = rateLimitFields
    .map((field) => describeLimit(field, values, used[field], byField[field]))
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

function isNear({
  max,
  dayPeak,
  dayRefusals,
}: Pick<LimitUsageRecord, "max" | "dayPeak" | "dayRefusals">): boolean {
  return isNearLimit({ max, peak: dayPeak, refusals: dayRefusals });
}

export function formatPairId({ projectId, model }: ProjectModelPair): string {
  return `${projectId}/${model}`;
}
