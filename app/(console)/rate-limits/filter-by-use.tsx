"use client";

import type { LimitRow } from "@/app/project-limits/limit-row";
import { useLimitUsage } from "@/app/project-limits/limit-usage-scope";
import { isNear } from "@/app/rate-limit-fields/limit-usage";
import { SelectFilter } from "@/components/filters/filter-fields";
import { useUrlParameter } from "@/components/filters/use-url-parameter";

const PARAMETER = "use";

/** Filters models by the use of their limits. */
export function FilterByUse() {
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

/** Returns a function that filters rows by the address, with the use at the time of rendering. */
export function useRowsByUse(): (rows: readonly LimitRow[]) => readonly LimitRow[] {
  const [use] = useUrlParameter(PARAMETER);
  const uses = useLimitUsage(use !== "");
  const findLimits = ({ limit }: LimitRow) => uses.findLimits(limit.model);
  if (use === "near") return (rows) => rows.filter((row) => findLimits(row).some(isNear));
  if (use === "never") return (rows) => rows.filter((row) => findLimits(row).length === 0);
  return (rows) => rows;
}
