"use client";

import { isNear } from "@/components/rate-limits/limit-usage";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import type { LimitRow } from "./limit-row";
import { useLimitUsage } from "./limit-usage-scope";

const PARAMETER = "use";

/** Filters models by the usage of their limits. */
export function FilterByUsage() {
  return (
    <SelectFilter
      label="Use"
      parameter={PARAMETER}
      all="Any use"
      options={[
        { value: "near", label: "Near their limit" },
        { value: "never", label: "Not used in 7 days" },
      ]}
    />
  );
}

/** Returns a function that filters rows by the address, with the usage at the time of rendering. */
export function useRowsByUsage(): (rows: readonly LimitRow[]) => readonly LimitRow[] {
  const [chosen] = useUrlParameter(PARAMETER);
  const usageByModel = useLimitUsage(chosen !== "");
  const findLimits = ({ limit }: LimitRow) => usageByModel.findLimits(limit.model);
  if (chosen === "near") return (rows) => rows.filter((row) => findLimits(row).some(isNear));
  if (chosen === "never") return (rows) => rows.filter((row) => findLimits(row).length === 0);
  return (rows) => rows;
}
