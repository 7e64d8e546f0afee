import { computeUsedShare, type ProjectModelPair } from "./limit-usage";
import {
  type LimitUsageContext,
  type LimitUsageFilter,
  type LimitUsageRecord,
  NEAR,
  readLimitUsage,
} from "./list-limit-usage";

/** A limit of a project and model that refused calls within the last day, or was nearly used up. */
export interface NearLimit extends ProjectModelPair, LimitUsageRecord {
  readonly id: string;
}

/** Those that refused calls, the most calls first, then those that were nearly used up, the highest share first. */
export async function listNearLimits(
  context: LimitUsageContext,
  projectIds: LimitUsageFilter["projectIds"],
  nowMs: number,
): Promise<NearLimit[]> {
  const usage = await readLimitUsage(context, { projectIds, near: true }, nowMs);
  const limits = (await usage.read()).flatMap(({ id, projectId, model, limits: records }) =>
    records.map((record) => ({ ...record, id: `${id}/${record.field}`, projectId, model })),
  );
  const refusing = limits
    .filter(({ dayRefusals }) => dayRefusals > 0)
    .toSorted((one, other) => other.dayRefusals - one.dayRefusals);
  const near = limits
    .filter((limit) => limit.dayRefusals === 0 && computePeakShare(limit) >= NEAR)
    .toSorted((one, other) => computePeakShare(other) - computePeakShare(one));
  return [...refusing, ...near];
}

/** From 0 to 1; 0 for a limit that lets nothing through on purpose. */
function computePeakShare({ max, dayPeak }: LimitUsageRecord): number {
  return max === 0 ? 0 : Math.min(1, computeUsedShare(max, dayPeak) ?? 0);
}
