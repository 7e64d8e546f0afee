"use client";

import { DEFAULT_RANGE, type FilterName, filterNames } from "@/components/audit-log/audit-log-filter";
import { typeChoices } from "@/components/audit-log/event-words";
import { useOptions } from "@/components/filters/use-options";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter, TextFilter } from "@/components/ui/filters/filter-fields";
import { FilterInput } from "@/components/ui/filters/filter-input";
import { RangeFilter } from "@/components/ui/filters/range-filter";

const further: readonly FilterName[] = ["resource_ids", "ip_addresses"];

/** The filters of the list, bound to the address. */
export function AuditLogFilters({ active }: { active: readonly FilterName[] }) {
  const members = useOptions("listUsers");
  const adminKeys = useOptions("listAdminApiKeys");
  const projects = useOptions("listProjects");
  const searchPeople = (text: string) => {
    members.search?.(text);
    adminKeys.search?.(text);
  };
  return (
    <FilterBar
      names={filterNames}
      active={active}
      further={{ names: further, fields: <FurtherFilters />, isWide: true }}
    >
      <FilterInput label="Search the log" parameter="text" />
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <SelectFilter
        label="Person"
        parameter="actor_ids"
        all="Anybody"
        options={[
          ...members.rows.map(({ id, name, email }) => ({ value: id, label: email || name, note: name })),
          ...adminKeys.rows.map(({ id, name }) => ({ value: id, label: `${name} · admin key` })),
        ]}
        search={members.search || adminKeys.search ? searchPeople : undefined}
      />
      <SelectFilter label="What was done" parameter="event_types" all="Any change" options={typeChoices} />
      <SelectFilter
        label="Project"
        parameter="project_ids"
        all="Everywhere"
        options={projects.rows.map(({ id, name }) => ({ value: id, label: name }))}
        search={projects.search}
      />
    </FilterBar>
  );
}

function FurtherFilters() {
  return (
    <>
      <TextFilter label="Object id" parameter="resource_ids" placeholder="rl_…, key_…, role_…, user_…" />
      <TextFilter label="Network address" parameter="ip_addresses" placeholder="Such as 192.0.2.10" />
    </>
  );
}
