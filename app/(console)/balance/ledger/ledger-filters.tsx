"use client";

import { KeyFilter, ModelFilter, ProjectFilter } from "@/components/filters/filter-choices";
import { entryKinds } from "@/components/money/ledger-entry-columns";
import { useRead } from "@/components/queries/reads/use-read";
import { AmountFilter } from "@/components/ui/filters/amount-filter";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter, TextFilter, Titled } from "@/components/ui/filters/filter-fields";
import { FilterInput } from "@/components/ui/filters/filter-input";
import { RangeFilter } from "@/components/ui/filters/range-filter";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { DEFAULT_RANGE, type FilterName, filterNames } from "./ledger-filter";

const further: readonly FilterName[] = ["key_id", "min_amount", "max_amount", "reference", "request_id"];

/** The filters of the ledger, bound to the address. */
export function LedgerFilters({ active }: { active: readonly FilterName[] }) {
  return (
    <FilterBar names={filterNames} active={active} further={{ names: further, fields: <FurtherFilters /> }}>
      <FilterInput label="Search entries" parameter="text" />
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <SelectFilter
        label="Kind"
        parameter="kind"
        all="All kinds"
        options={Object.entries(entryKinds).map(([value, label]) => ({ value, label }))}
      />
      <ProjectFilter keyParameter="key_id" />
      <ModelFilter />
    </FilterBar>
  );
}

/** The less common filters. */
function FurtherFilters() {
  const [project] = useUrlParameter("project_id");
  const currency = useRead("retrieveBalance").data?.currency;
  return (
    <>
      {project === "" ? (
        <TextFilter label="Key or member id" parameter="key_id" placeholder="key_… or user_…" />
      ) : (
        <Titled title="Key">
          <KeyFilter parameter="key_id" />
        </Titled>
      )}
      <AmountFilter
        label="Amount at least"
        parameter="min_amount"
        placeholder="Such as 0.01"
        currency={currency}
      />
      <AmountFilter
        label="Amount at most"
        parameter="max_amount"
        placeholder="Such as 100.00"
        currency={currency}
      />
      <TextFilter label="Reference contains" parameter="reference" placeholder="Invoice 2026-11" />
      <TextFilter label="Request id" parameter="request_id" placeholder="req_…" />
    </>
  );
}
