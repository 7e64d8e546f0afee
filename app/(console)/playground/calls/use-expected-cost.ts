"use client";

import { useState } from "react";
import type { Workbench } from "@/components/playground/workbench";
import { useRead } from "@/components/queries/reads/use-read";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { DAY_S, HOUR_S } from "@/lib/contract/durations";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { type Nano, sumAmounts } from "@/lib/money/amount";
import { computeExpectedCost, findUsualAnswer } from "./expected-cost";
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
  const costs = previews.map(({ model, preview }) => {
    const length = findUsualAnswer(workbench, model, usage.data?.groups ?? []);
    const found = models?.find(({ id }) => id === model);
    return preview && length !== null ? computeExpectedCost(found, preview.prompt_tokens, length) : null;
  });
  return costs.includes(null) ? null : sumAmounts(costs as Nano[]);
}
