"use client";

import { createContext, useContext } from "react";
import type { MenuEntry } from "@/components/ui/menu/menu-item";
import type { GroupBy } from "./arrange-pairs";
import type { GridState } from "./grid-state";
import type { LimitDraft } from "./limit-draft";
import type { LimitUse, UseShown } from "./limit-use";
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
