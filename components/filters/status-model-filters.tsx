"use client";

import { useCallback } from "react";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import type { ModelFamily } from "@/lib/contract/calls/model-families";
import { ModelFilter } from "./filter-choices";
import { filterNames, listParameters } from "./status-model-filter";

interface StatusModelFiltersProps<Status extends string> {
  active: readonly (typeof filterNames)[number][];
  statuses: readonly Status[];
  styles: Readonly<Record<Status, { label: string }>>;
  /** Whether models of a family are in the list. */
  isOffered: (family: ModelFamily) => boolean;
}

/** The filters of a project's tasks or batches, bound to the address. */
export function StatusModelFilters<Status extends string>({
  active,
  statuses,
  styles,
  isOffered,
}: StatusModelFiltersProps<Status>) {
  return (
    <FilterBar names={filterNames} active={active}>
      <SelectFilter
        label="Status"
        parameter="status"
        all="Any status"
        options={statuses.map((value) => ({ value, label: styles[value].label }))}
      />
      <ModelFilter isOffered={isOffered} />
    </FilterBar>
  );
}

/** Returns the filter of a list of tasks or batches from the address. `statuses` must be stable. */
export function useStatusModelFilter(projectId: string | undefined, statuses: readonly string[]) {
  const readParameters = useCallback(
    (findInAddress: FindInAddress) => listParameters(projectId, statuses, findInAddress),
    [projectId, statuses],
  );
  return useAddressFilter(filterNames, readParameters);
}
