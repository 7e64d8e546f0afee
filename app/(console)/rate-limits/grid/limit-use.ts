import { computeCappedShare } from "@/components/rate-limits/limit-usage";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { LimitUsage, LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";
import { pairKey } from "./limit-pair";

/** What the bars show: the use of this moment, or the most of 7 days. */
export type UseShown = "now" | "peak";

/** The share of a limit from which a bar has words as well. */
const NEAR = 0.8;

/** How many limits are used up, and how many others are near. */
export interface UseCounts {
  readonly usedUp: number;
  readonly near: number;
  /** False until the first figures have come. */
  readonly isKnown: boolean;
}

/** The use of limits by pair, as the stream tells it. */
export class LimitUse {
  readonly #byPair = new Map<string, LimitUsage>();
  #counts: UseCounts = { usedUp: 0, near: 0, isKnown: false };
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Undefined if the pair wasn't used within a week. The same object until its use changes. */
  row(pair: string): LimitUsage | undefined {
    return this.#byPair.get(pair);
  }

  readonly counts = (): UseCounts => this.#counts;

  /** The pairs with a limit that is near or used up. */
  nearPairs(shown: UseShown): ReadonlySet<string> {
    const near = [...this.#byPair].filter(([, { limits }]) =>
      limits.some((entry) => (computeShare(entry, shown) ?? 0) >= NEAR),
    );
    return new Set(near.map(([key]) => key));
  }

  update(changed: readonly LimitUsage[]): void {
    for (const usage of changed) this.#byPair.set(pairKey(usage.project_id, usage.model), usage);
    const shares = [...this.#byPair.values()].flatMap(({ limits }) =>
      limits.map((entry) => computeShare(entry, "now") ?? 0),
    );
    const usedUp = shares.filter((share) => share >= 1).length;
    this.#counts = {
      usedUp,
      near: shares.filter((share) => share >= NEAR).length - usedUp,
      isKnown: true,
    };
    for (const listener of this.#listeners) listener();
  }
}

export function findEntry(usage: LimitUsage | undefined, field: RateLimitField): LimitUsageEntry | undefined {
  return usage?.limits.find((entry) => entry.field === field);
}

/** The used share of a limit, at most 1. A draft's number stands in for the saved one. Null without a limit. */
export function computeShare(
  entry: LimitUsageEntry,
  shown: UseShown,
  max: number | null = entry.max,
): number | null {
  const used = shown === "now" ? entry.used : entry.peak_7_days;
  // A limit of 0 that nobody has met is not used up.
  return max === 0 && used === 0 ? 0 : computeCappedShare(max, used);
}

type Nearness = "room" | "near" | "used up";

export function rateShare(share: number): Nearness {
  return share >= 1 ? "used up" : share >= NEAR ? "near" : "room";
}
