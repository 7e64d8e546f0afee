"use client";

import { useOptions } from "@/components/filters/use-options";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { activityChoices, filterNames, signInChoices, twoFactorChoices } from "./member-filter";

type MemberFiltersProps = { active: readonly (typeof filterNames)[number][]; seesGroups: boolean };

/** The filters of the list, bound to the address. The gateway applies them. */
export function MemberFilters({ active, seesGroups }: MemberFiltersProps) {
  const roles = useOrganizationRoles();
  return (
    <FilterBar names={filterNames} active={active}>
      <SelectFilter
        label="Role"
        parameter="role_id"
        all="Any role"
        options={roles.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {seesGroups && <GroupFilter />}
      <SelectFilter
        label="Two-factor"
        parameter="two_factor"
        all="Two-factor: any"
        options={twoFactorChoices}
      />
      <SelectFilter
        label="Last sign-in"
        parameter="last_sign_in"
        all="Last sign-in: any"
        options={signInChoices}
      />
      <SelectFilter
        label="State"
        parameter="deactivated"
        all="Active or deactivated"
        options={activityChoices}
      />
    </FilterBar>
  );
}

function GroupFilter() {
  const { rows, search } = useOptions("listGroups");
  const options = rows.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectFilter label="Group" parameter="group_id" all="Any group" options={options} search={search} />
  );
}
