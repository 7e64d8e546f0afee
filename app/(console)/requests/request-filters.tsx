"use client";

import { useRead } from "@/app/queries/use-read";
import { FilterBar } from "@/components/table/filter-bar";
import { Choice } from "@/components/table/filter-fields";
import { RangeFilter } from "@/components/table/range-filter";
import { outcomeLabels } from "./describe-outcome";
import { MoreFilters } from "./more-filters";
import { DEFAULT_RANGE, type FilterName, filterNames } from "./request-filter";

const further: readonly FilterName[] = filterNames.slice(3);

/** The filters of the list, bound to the address. */
export function RequestFilters({ asked }: { asked: readonly FilterName[] }) {
  const projects = useRead("listProjects", { limit: "1000" }).data?.data ?? [];
  const models = useRead("listOrganizationModels", { limit: "1000" }).data?.data ?? [];
  return (
    <FilterBar names={filterNames} asked={asked} further={{ names: further, fields: <MoreFilters /> }}>
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <Choice
        label="Project"
        parameter="project_id"
        all="All projects"
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Choice
        label="Model"
        parameter="model"
        all="All models"
        options={models.map(({ id }) => ({ value: id, label: id }))}
      />
      <Choice
        label="Outcome"
        parameter="outcome"
        all="Any outcome"
        options={Object.entries(outcomeLabels).map(([value, label]) => ({ value, label }))}
      />
    </FilterBar>
  );
}
