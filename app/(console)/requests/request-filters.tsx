"use client";

import { ModelFilter, ProjectFilter } from "@/components/filters/filter-choices";
import { outcomeLabels } from "@/components/requests/describe-outcome";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { RangeFilter } from "@/components/ui/filters/range-filter";
import { FurtherFilters } from "./further-filters";
import { DEFAULT_RANGE, type FilterName, filterNames } from "./request-filter";

const alwaysShown: readonly FilterName[] = ["project_id", "model", "outcome"];
const further = filterNames.filter((name) => !alwaysShown.includes(name));

/** The filters of the list, bound to the address. */
export function RequestFilters({ active }: { active: readonly FilterName[] }) {
  return (
    <FilterBar names={filterNames} active={active} further={{ names: further, fields: <FurtherFilters /> }}>
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <ProjectFilter keyParameter="api_key_id" />
      <ModelFilter />
      <SelectFilter
        label="Outcome"
        parameter="outcome"
        all="Any outcome"
        options={Object.entries(outcomeLabels).map(([value, label]) => ({ value, label }))}
      />
    </FilterBar>
  );
}
