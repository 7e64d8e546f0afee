"use client";

import { useMemberOptions } from "@/components/filters/filter-choices";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter, TextFilter } from "@/components/ui/filters/filter-fields";
import { RangeFilter } from "@/components/ui/filters/range-filter";
import { DEFAULT_RANGE, type FilterName, filterNames } from "./refusal-filter";
import { reasons } from "./refusal-words";

const reasonChoices = Object.entries(reasons).map(([value, label]) => ({ value, label }));

const further: readonly FilterName[] = ["ip_addresses"];

/** The filters of the list, bound to the address. */
export function RefusalFilters({ active }: { active: readonly FilterName[] }) {
  const { options: members, search } = useMemberOptions();
  return (
    <FilterBar
      names={filterNames}
      active={active}
      further={{ names: further, fields: <FurtherFilters />, isWide: true }}
    >
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <SelectFilter label="Person" parameter="caller_ids" all="Anybody" options={members} search={search} />
      <SelectFilter label="Reason" parameter="codes" all="Any reason" options={reasonChoices} />
    </FilterBar>
  );
}

function FurtherFilters() {
  return <TextFilter label="Network address" parameter="ip_addresses" placeholder="Such as 192.0.2.10" />;
}
