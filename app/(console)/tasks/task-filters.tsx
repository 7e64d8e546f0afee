"use client";

import { useRead } from "@/app/queries/use-read";
import { FilterBar } from "@/components/table/filter-bar";
import { Choice } from "@/components/table/filter-fields";
import { isMediaFamily } from "@/lib/contract/model-families";
import { taskStatuses } from "@/lib/contract/task-statuses";
import { filterNames } from "./task-filter";
import { taskStatusStyles } from "./task-status";

/** The filters of the list, bound to the address. */
export function TaskFilters({ asked }: { asked: readonly (typeof filterNames)[number][] }) {
  const models = useRead("listOrganizationModels", { limit: "1000" }).data?.data ?? [];
  return (
    <FilterBar names={filterNames} asked={asked}>
      <Choice
        label="Status"
        parameter="status"
        all="Any status"
        options={taskStatuses.map((value) => ({ value, label: taskStatusStyles[value].words }))}
      />
      <Choice
        label="Model"
        parameter="model"
        all="All models"
        options={models
          .filter(({ family }) => isMediaFamily(family))
          .map(({ id }) => ({ value: id, label: id }))}
      />
    </FilterBar>
  );
}
