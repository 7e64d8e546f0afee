"use client";

import { KeyFilter, ModelFilter, ProjectFilter, useMemberOptions } from "@/components/filters/filter-choices";
import { providerOptions } from "@/components/filters/provider-options";
import { useOptions } from "@/components/filters/use-options";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { RangeFilter } from "@/components/ui/filters/range-filter";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { DEFAULT_RANGE, filterNames, type UsageView } from "@/components/usage/usage-query";

const widthNames = [
  { value: "1m", label: "By the minute" },
  { value: "1h", label: "By the hour" },
  { value: "1d", label: "By the day (UTC)" },
];

/** The filters of the usage screen, bound to the address. */
export function UsageFilters({ view, isOwn }: { view: UsageView; isOwn: boolean }) {
  const models = useOptions("listOrganizationModels");
  const [provider] = useUrlParameter("provider");
  const providers = providerOptions(models.rows, provider);
  return (
    <FilterBar names={filterNames} active={view.active}>
      <RangeFilter defaultRange={DEFAULT_RANGE} hasAll={false} />
      <SelectFilter label="Interval" parameter="bucket_width" all="Automatic interval" options={widthNames} />
      <ProjectFilter keyParameter="api_key_id" />
      <ModelFilter />
      {(models.isPending || providers.length > 0) && (
        <SelectFilter label="Provider" parameter="provider" all="All providers" options={providers} />
      )}
      {!isOwn && <CallerFilters />}
    </FilterBar>
  );
}

/** The filters by caller. */
function CallerFilters() {
  const [project] = useUrlParameter("project_id");
  const [key] = useUrlParameter("api_key_id");
  const { isPending, options: members, search } = useMemberOptions();
  return (
    <>
      {(project !== "" || key !== "") && <KeyFilter parameter="api_key_id" />}
      {(isPending || members.length > 0) && (
        <SelectFilter label="Member" parameter="user_id" all="Anybody" options={members} search={search} />
      )}
    </>
  );
}
