"use client";

import { ModelFilter, ProjectFilter } from "@/app/filters/filter-choices";
import { FilterBar } from "@/components/table/filter-bar";
import { Choice } from "@/components/table/filter-fields";
import { RangeFilter } from "@/components/table/range-filter";
import { outcomeLabels } from "./describe-outcome";
import { MoreFilters } from "./more-filters";
import { DEFAULT_RANGE, type FilterName, filterNames } from "./request-filter";

const further: readonly FilterName[] = [
  "provider",
  "refused_by",
  "api_key_id",
  "user_id",
  "status",
  "min_amount",
  "min_duration_ms",
  "request_id",
  "batch_id",
];

/** The filters of the list, bound to the address. */
export function RequestFilters({ active }: { active: readonly FilterName[] }) {
  return (
    <FilterBar names={filterNames} active={active} further={{ names: further, fields: <MoreFilters /> }}>
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <ProjectFilter keyParameter="api_key_id" />
      <ModelFilter />
      <Choice
        label="Outcome"
        parameter="outcome"
        all="Any outcome"
        options={Object.entries(outcomeLabels).map(([value, label]) => ({ value, label }))}
      />
    </FilterBar>
  );
}
