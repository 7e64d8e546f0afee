"use client";

import { FilterBar } from "@/components/table/filter-bar";
import { Choice } from "@/components/table/filter-fields";
import { batchStatuses } from "@/lib/contract/batch-statuses";
import type { ModelFamily } from "@/lib/contract/model-families";
import { ModelFilter } from "../filter-choices";
import { filterNames } from "./batch-filter";
import { batchLooks } from "./batch-status";

const isBatchFamily = (family: ModelFamily) => family === "chat" || family === "embedding";

/** The filters of the list, bound to the address. */
export function BatchFilters({ active }: { active: readonly (typeof filterNames)[number][] }) {
  return (
    <FilterBar names={filterNames} active={active}>
      <Choice
        label="Status"
        parameter="status"
        all="Any status"
        options={batchStatuses.map((value) => ({ value, label: batchLooks[value].words }))}
      />
      <ModelFilter isOffered={isBatchFamily} />
    </FilterBar>
  );
}
