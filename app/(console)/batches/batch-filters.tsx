"use client";

import { useRead } from "@/app/queries/use-read";
import { FilterBar } from "@/components/table/filter-bar";
import { Choice } from "@/components/table/filter-fields";
import { batchStatuses } from "@/lib/contract/batch-statuses";
import { filterNames } from "./batch-filter";
import { batchLooks } from "./batch-status";

const families = ["chat", "embedding"];

/** The filters of the list, bound to the address. */
export function BatchFilters({ asked }: { asked: readonly (typeof filterNames)[number][] }) {
  const models = useRead("listOrganizationModels", { limit: "1000" }).data?.data ?? [];
  return (
    <FilterBar names={filterNames} asked={asked}>
      <Choice
        label="Status"
        parameter="status"
        all="Any status"
        options={batchStatuses.map((value) => ({ value, label: batchLooks[value].words }))}
      />
      <Choice
        label="Model"
        parameter="model"
        all="All models"
        options={models
          .filter(({ family }) => families.includes(family))
          .map(({ id }) => ({ value: id, label: id }))}
      />
    </FilterBar>
  );
}
