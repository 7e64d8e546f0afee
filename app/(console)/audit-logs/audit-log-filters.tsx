"use client";

import { SlidersHorizontal, X } from "lucide-react";
import { useState } from "react";
import { useRead } from "@/app/queries/use-read";
import { changeAddress } from "@/components/table/change-address";
import { Choice, Typed } from "@/components/table/filter-fields";
import { FilterInput } from "@/components/table/filter-input";
import { RangeFilter } from "@/components/table/range-filter";
import { Button } from "@/components/ui/button";
import { type FilterName, filterNames, USUAL_RANGE } from "./audit-log-filter";
import { typeChoices } from "./event-words";

const further: readonly FilterName[] = ["resource_ids", "ip_addresses"];

/** Which events are listed, kept in the address. */
export function AuditLogFilters({ asked }: { asked: readonly FilterName[] }) {
  const ofFurther = asked.filter((name) => further.includes(name)).length;
  const [isOpen, setIsOpen] = useState(ofFurther > 0);
  const projects = useRead("listProjects", { limit: "1000" }).data?.data ?? [];
  const members = useRead("listUsers", { limit: "1000" }).data?.data ?? [];
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <FilterInput label="Search the log" parameter="text" />
        <RangeFilter usual={USUAL_RANGE} />
        <Choice
          label="Person"
          parameter="actor_ids"
          all="Anybody"
          options={members.map(({ id, name, email }) => ({ value: id, label: email ?? name ?? id }))}
        />
        <Choice label="What was done" parameter="event_types" all="Any change" options={typeChoices} />
        <Choice
          label="Project"
          parameter="project_ids"
          all="Everywhere"
          options={projects.map(({ id, name }) => ({ value: id, label: name }))}
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
      {isOpen && (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(16rem,1fr))] gap-x-3 gap-y-2 rounded-md border bg-surface p-3">
          <Typed label="Object id" parameter="resource_ids" placeholder="rl_…, key_…, role_…, user_…" />
          <Typed label="Network address" parameter="ip_addresses" placeholder="192.0.2.10" />
        </div>
      )}
    </div>
  );
}
