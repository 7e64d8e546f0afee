"use client";

import { SlidersHorizontal, X } from "lucide-react";
import { useState } from "react";
import { useRead } from "@/app/queries/use-read";
import { changeAddress } from "@/components/table/change-address";
import { Choice } from "@/components/table/filter-fields";
import { RangeFilter } from "@/components/table/range-filter";
import { Button } from "@/components/ui/button";
import { outcomeLabels } from "./describe-outcome";
import { MoreFilters } from "./more-filters";
import { type FilterName, filterNames, USUAL_RANGE } from "./request-filter";

const further: readonly FilterName[] = filterNames.slice(3);

/** Which calls are listed, kept in the address. */
export function RequestFilters({ asked }: { asked: readonly FilterName[] }) {
  const ofFurther = asked.filter((name) => further.includes(name)).length;
  const [isOpen, setIsOpen] = useState(ofFurther > 0);
  const projects = useRead("listProjects", { limit: "1000" }).data?.data ?? [];
  const models = useRead("listOrganizationModels", { limit: "1000" }).data?.data ?? [];
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <RangeFilter usual={USUAL_RANGE} />
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
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <SlidersHorizontal aria-hidden />
          {ofFurther > 0 ? `Filters (${ofFurther})` : "Filters"}
        </Button>
        {asked.length > 0 && (
          <Button
            variant="ghost"
            onClick={() => changeAddress(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
          >
            <X aria-hidden />
            Clear
          </Button>
        )}
      </div>
      {isOpen && <MoreFilters />}
    </div>
  );
}
