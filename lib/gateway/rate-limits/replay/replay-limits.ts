import {
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import type { Database } from "../../database/database";
import type { ProjectModelPair } from "../project-model-windows";
import { pairKey, readArrivals } from "./read-arrivals.sql";
import { findLeastValue, type PairReplay, REPLAYED_AT_ONCE, replayPair } from "./replay-pair";

/** A project and model with the limits to try, and those of them that are drafted. */
export interface DraftedPair extends ProjectModelPair {
  readonly limits: RateLimitValues;
  readonly fields: readonly RateLimitField[];
}

export interface ReplayQuestion {
  readonly pairs: readonly DraftedPair[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** What the drafted limits would have done. */
export interface ReplayAnswer {
  readonly pairs: readonly (ProjectModelPair &
    PairReplay & {
      /** Of each drafted limit that is a number: the least value that would have refused none of these calls. */
      readonly leastValues: Partial<Record<RateLimitField, number>>;
    })[];
  readonly refusalsWithoutTime: number;
  readonly refusals: number;
}

/** Told how much is done, from 0 to 1. */
export type ReportShare = (share: number) => void;

/** Reading takes about as long as trying them. */
const READING = 0.5;

/** Asks what limits would have done to past calls. It takes long, so another thread may answer. */
export interface LimitReplayer {
  /**
   * Null if these are too many calls. Ends early, with an exception, once nobody waits for it.
   * @param report is told how much is done, from 0 to 1, while it takes long.
   */
  replay(question: ReplayQuestion, signal: AbortSignal, report?: ReportShare): Promise<ReplayAnswer | null>;
}

/** Replays the calls of the log through the windows that decide about every call. */
export async function replayLimits(
  database: Database,
  { pairs, fromMs, toMs }: ReplayQuestion,
  signal: AbortSignal,
  report: ReportShare = () => {},
): Promise<ReplayAnswer | null> {
  signal.throwIfAborted();
  const pause = async () => {
    await new Promise<void>(setImmediate);
    signal.throwIfAborted();
  };
  const past = await readArrivals(database, pairs, { fromMs, toMs }, pause, (share) =>
    report(share * READING),
  );
  if (!past) return null;
  const { byPair, ...unknown } = past;
  const replayed: ReplayAnswer["pairs"][number][] = [];
  const stepsOf = (pair: DraftedPair) => (byPair.get(pairKey(pair))?.length ?? 0) * (1 + pair.fields.length);
  const total = pairs.reduce((sum, pair) => sum + stepsOf(pair), 0);
  let [done, walked] = [0, 0];
  const reportWalk = (steps: number) => {
    walked = Math.max(walked, Math.min(steps, total));
    report(READING + (1 - READING) * (total === 0 ? 1 : walked / total));
  };
  const pauseInWalk = () => {
    reportWalk(walked + REPLAYED_AT_ONCE);
    return pause();
  };
  for (const drafted of pairs) {
    const { limits, fields, ...pair } = drafted;
    reportWalk(done);
    done += stepsOf(drafted);
    const arrivals = byPair.get(pairKey(pair)) ?? [];
    const options = { arrivals, sinceMs: fromMs, limits, pause: pauseInWalk };
    const replay = await replayPair(options);
    const leastValues: Partial<Record<RateLimitField, number>> = {};
    if (replay.newlyRefused > 0 || replay.stillRefused > 0)
      for (const field of rateLimitFields)
        if (fields.includes(field) && limits[field] !== null)
          leastValues[field] = await findLeastValue(options, field);
    replayed.push({ ...pair, ...replay, leastValues });
  }
  return { pairs: replayed, ...unknown };
}
