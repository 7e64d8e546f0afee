"use client";

import { useState } from "react";
import { parseWhole } from "@/components/playground/settings";
import { findSettings, type Workbench } from "@/components/playground/workbench";
import { useRead } from "@/components/queries/reads/use-read";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { DAY_S, HOUR_S } from "@/lib/contract/durations";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { type Nano, sumAmounts } from "@/lib/money/amount";
import { computeExpectedCost, findCachedShare, findUsualAnswer } from "./expected-cost";
import type { PanePreview } from "./use-preview";

const PAST_DAYS = 30;

/** Returns what Send is expected to cost in all panes; null while it is unknown for one of them. */
export function useExpectedCost(
  workbench: Workbench,
  models: readonly OrganizationModel[] | null,
  previews: readonly PanePreview[],
): Nano | null {
  const [start] = useState(() => Math.floor(nowSeconds() / HOUR_S) * HOUR_S - PAST_DAYS * DAY_S);
  const query = { start_time: String(start), bucket_width: "range", group_by: "model", latencies: "none" };
  const usage = useRead("retrieveOwnUsageSummary", query, { enabled: previews.length > 0 });
  if (previews.length === 0 || usage.isPending) return null;
  const groups = usage.data?.groups ?? [];
  const costs = previews.map(({ paneId, model, preview }) => {
    const length = findUsualAnswer(workbench, model, groups);
    const found = models?.find(({ id }) => id === model);
    if (!preview || length === null) return null;
    const pane = workbench.panes.find(({ id }) => id === paneId);
    return computeExpectedCost(found, {
      promptTokens: preview.prompt_tokens,
      completionTokens: length,
      maxTokens: pane ? parseWhole(findSettings(workbench, pane).max_tokens) : null,
      cachedShare: findCachedShare(model, groups),
    });
  });
  return costs.includes(null) ? null : sumAmounts(costs as Nano[]);
}
