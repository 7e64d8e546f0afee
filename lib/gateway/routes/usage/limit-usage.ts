import { setTimeout as sleep } from "node:timers/promises";
import type {
  LimitUsageEntry,
  LimitUsageQuery,
  LimitUsage as LimitUsageReply,
  NearLimit as NearLimitReply,
} from "@/lib/contract/operations/usage/limit-usage";
import { type AuthenticationContext, authenticate } from "../../access/authenticate";
import { listVisibleProjects, narrowTo } from "../../access/authorize";
import type { ClockAndRandom } from "../../clock";
import { listInMemory } from "../../lists/paged-list";
import type { ProjectCache } from "../../projects/projects";
import {
  type LimitUsageContext,
  type LimitUsageStore,
  listNearLimits,
  type ModelLimitsUsed,
  type NearLimit,
  readLimitUsage,
} from "../../rate-limits/limit-usage";
import type { EventHandlers, Handlers, Input } from "../handler";
import { paginate } from "../paginate";

interface Context extends Omit<LimitUsageContext, "limitUsage">, AuthenticationContext {
  readonly limitUsage: Pick<LimitUsageStore, "readHistory" | "readDay">;
  readonly projectCache: ProjectCache;
  readonly runtime: ClockAndRandom;
}

const POLL_MS = 1_000;
/** A stream ends by itself; clients connect again. */
const MAX_POLLS = 30;

export function limitUsageRoutes(context: Context): Handlers<"listLimitUsage" | "listNearLimits"> {
  return {
    listLimitUsage: async (input) => {
      const { query } = input;
      const usage = await readModelUsage(context, input);
      return paginate(listInMemory(await usage.read()), query, toReply);
    },
    listNearLimits: async ({ query, caller }) => {
      const limits = await listNearLimits(context, visibleTo(context, caller), context.runtime.clock.nowMs());
      return { ...(await paginate(listInMemory(limits), query, toNearLimit)), total: limits.length };
    },
  };
}

/**
 * The same list as events: first all of it, then each second the changed items, or undefined without changes. Ends with
 * the caller's access.
 */
export function limitUsageEvents(context: Context): EventHandlers {
  return {
    async *listLimitUsage(input: Input<"listLimitUsage">, signal: AbortSignal) {
      const usage = await readModelUsage(context, input);
      const visibility = String(visibleTo(context, input.caller));
      const lastTexts = new Map<string, string>();
      for (let looks = 0; looks < MAX_POLLS && !signal.aborted; looks++) {
        if (looks > 0) await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
        const caller = authenticate(context, input.headers);
        if (!caller || String(visibleTo(context, caller)) !== visibility) return;
        const data = (await usage.read()).map(toReply).filter((one) => {
          const text = JSON.stringify(one);
          const isNews = lastTexts.get(one.id) !== text;
          lastTexts.set(one.id, text);
          return isNews;
        });
        yield looks === 0 || data.length > 0 ? { data } : undefined;
      }
    },
  };
}

function visibleTo({ graph }: Context, caller: Input<"listLimitUsage">["caller"]): string[] | null {
  return listVisibleProjects(graph, caller, "api.rate_limits.read");
}

function readModelUsage(
  context: Context,
  { query, caller }: { query: LimitUsageQuery; caller: Input<"listLimitUsage">["caller"] },
) {
  const filter = {
    projectIds: narrowTo(visibleTo(context, caller), query.project_id),
    model: query.model,
    near: query.near,
  };
  return readLimitUsage(context, filter, context.runtime.clock.nowMs());
}

function toNearLimit({ id, projectId, model, field, max, peak, refusals }: NearLimit): NearLimitReply {
  return {
    object: "rate_limit.near",
    id,
    project_id: projectId,
    model,
    field,
    max,
    peak_1_day: peak,
    refused_1_day: refusals,
  };
}

function toReply({ id, projectId, model, limits }: ModelLimitsUsed): LimitUsageReply {
  return {
    object: "rate_limit.usage",
    id,
    project_id: projectId,
    model,
    limits: limits.map(toUsageEntry),
  };
}

export function toUsageEntry({
  field,
  max,
  used,
  ...past
}: ModelLimitsUsed["limits"][number]): LimitUsageEntry {
  return {
    field,
    max,
    used,
    peak_1_day: past.dayPeak,
    peak_7_days: past.weekPeak,
    refused_1_day: past.dayRefusals,
    refused_7_days: past.weekRefusals,
  };
}
