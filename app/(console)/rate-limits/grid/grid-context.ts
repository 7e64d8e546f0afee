"use client";

import { createContext, useContext } from "react";
import { computeCappedShare } from "@/components/rate-limits/limit-usage";
import type { MenuEntry } from "@/components/ui/menu/menu-item";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { LimitUsage, LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";
import type { GroupBy } from "./arrange-pairs";
import type { GridState } from "./grid-state";
import type { LimitDraft } from "./limit-draft";
import { pairKey } from "./limit-pair";
import type { EditPlan } from "./plan-edits";
import type { Follower } from "./use-follow-plan";

/** What all parts of the grid share. The stores stay the same; each part follows what it shows of them. */
export interface Grid {
  readonly state: GridState;
  readonly draft: LimitDraft;
  readonly use: LimitUse;
  readonly useShown: UseShown;
  readonly groupBy: GroupBy;
  readonly toggleGroup: (key: string) => void;
  /** The entries of a menu that let projects follow a plan; null where nobody may, or there is none. */
  readonly listPlanEntries: ((projects: readonly Follower[]) => MenuEntry[]) | null;
  /** Makes the edits of a plan, and says what it left. `did` is what was done, such as "Pasted". */
  readonly make: (plan: EditPlan, did: string) => void;
}

export const GridContext = createContext<Grid | null>(null);

export function useGrid(): Grid {
  const grid = useContext(GridContext);
  if (!grid) throw new Error("outside of the grid");
  return grid;
}

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
