"use client";

import { lazyChart } from "@/components/ui/chart/lazy-chart";
import { Skeleton } from "@/components/ui/states/skeleton";

const loadCharts = () => import("./usage-chart");

export const UsageChart = lazyChart(
  () => loadCharts().then((file) => file.UsageChart),
  <Skeleton className="h-88 w-full rounded-md" />,
);

export const MonthChart = lazyChart(
  () => loadCharts().then((file) => file.MonthChart),
  <Skeleton className="h-72 w-full" />,
);

/** Shows nothing. A page that renders it before its reads loads the code of the charts meanwhile. */
export function LoadChartsAhead() {
  return null;
}
