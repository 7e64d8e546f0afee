import {
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import type { Database } from "../../database/database";
import type { ProjectModelPair } from "../embedded-windows";
import { pairKey, readArrivals } from "./read-arrivals.sql";
import { findLeastValue, type PairReplay, replayPair } from "./replay-pair";

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

/** Asks what limits would have done to past calls. It takes long, so another thread may answer. */
export interface LimitReplayer {
  /** Null if these are too many calls. Ends early, with an exception, once nobody waits for it. */
  replay(question: ReplayQuestion, signal: AbortSignal): Promise<ReplayAnswer | null>;
}

/** Replays the calls of the log through the windows that decide about every call. */
export async function replayLimits(
  database: Database,
  { pairs, fromMs, toMs }: ReplayQuestion,
  signal: AbortSignal,
): Promise<ReplayAnswer | null> {
  signal.throwIfAborted();
  const pause = async () => {
    await new Promise<void>(setImmediate);
    signal.throwIfAborted();
  };
  const arrivals = await readArrivals(database, pairs, { fromMs, toMs }, pause);
  if (!arrivals) return null;
  const { byPair, ...unknown } = arrivals;
  const replayed: ReplayAnswer["pairs"][number][] = [];
  for (const { limits, fields, ...pair } of pairs) {
    const options = { arrivals: byPair.get(pairKey(pair)) ?? [], sinceMs: fromMs, limits, pause };
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
