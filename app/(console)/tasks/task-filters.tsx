"use client";

import { FilterBar } from "@/components/table/filter-bar";
import { Choice } from "@/components/table/filter-fields";
import { isMediaFamily } from "@/lib/contract/model-families";
import { taskStatuses } from "@/lib/contract/task-statuses";
import { ModelFilter } from "../filter-choices";
import { filterNames } from "./task-filter";
import { taskStatusStyles } from "./task-status";

/** The filters of the list, bound to the address. */
export function TaskFilters({ active }: { active: readonly (typeof filterNames)[number][] }) {
  return (
    <FilterBar names={filterNames} active={active}>
      <Choice
        label="Status"
        parameter="status"
        all="Any status"
        options={taskStatuses.map((value) => ({ value, label: taskStatusStyles[value].words }))}
      />
      <ModelFilter isOffered={isMediaFamily} />
    </FilterBar>
  );
}
