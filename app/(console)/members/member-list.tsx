"use client";

import { Copy, Users } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { useOptions } from "@/components/filters/use-options";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import type { Project } from "@/components/roles/principal";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { toast } from "@/components/ui/dialog/toast";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { useAddressFilter, useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { containsWords } from "@/components/ui/search/match-words";
import { EmptyState } from "@/components/ui/states/empty-state";
import { FilteredList, type FurtherRows } from "@/components/ui/table/filtered-list";
import { SelectionBar, useRowSelection } from "@/components/ui/table/use-row-selection";
import { copyOutcomes, copyText } from "@/components/ui/text/copy-text";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { User } from "@/lib/contract/operations/people/users";
import { type ActionType, actionWords } from "./many/member-action";
import { findRoleName, memberColumns } from "./member-columns";
import {
  activityChoices,
  filterNames,
  memberListRead,
  readMemberFilter,
  signInChoices,
  twoFactorChoices,
} from "./member-filter";
import { MemberListSkeleton } from "./member-skeletons";

type MemberListProps = {
  ownId: string | null;
  seesGroups: boolean;
  /** Unix seconds. */
  openedAt: number;
  projects: readonly Project[];
  /** What the person may do with several members at once. */
  actions: readonly ActionType[];
  /** The button of the empty list. */
  action: ReactNode;
};

/** The members, newest first. */
export function MemberList(props: MemberListProps) {
  const { ownId, seesGroups, openedAt, action, projects, actions } = props;
  const { parameters, active } = useAddressFilter(filterNames, readMemberFilter, openedAt);
  const read = memberListRead(parameters);
  const members = useRead(...read, { keepsPrevious: true });
  const further = useFurtherRows(read, members.data);
  const roles = useOrganizationRoles();
  return (
    <ReadState
      read={members}
      to="list the members"
      skeleton={<MemberListSkeleton />}
      empty={
        active.length > 0 ? undefined : (
          <EmptyState
            icon={Users}
            title="No members yet"
            action={action}
            example="For example, a colleague who manages rate limits, or one who monitors spending."
          >
            Members sign in with an address and a password of their own, and do what their roles allow.
          </EmptyState>
        )
      }
    >
      {({ data }) => (
        <MemberTable {...{ rows: data, further, roles, ownId, active, seesGroups, projects, actions }} />
      )}
    </ReadState>
  );
}

type MemberTableProps = Omit<MemberListProps, "openedAt" | "action"> & {
  rows: readonly User[];
  further: FurtherRows<User>;
  roles: readonly Role[];
  active: readonly (typeof filterNames)[number][];
};

function MemberTable(props: MemberTableProps) {
  const { rows, further, roles, ownId, active, seesGroups, projects, actions } = props;
  const [typedSearch] = useUrlParameter("q");
  const loaded = [...rows, ...((!further.isSearched && further.rows) || [])];
  const shown = (further.isSearched && further.rows) || findMembers(loaded, roles, typedSearch);
  const selection = useRowSelection({ rows: shown, rowId: ({ id }) => id, rowName: ({ name }) => name });
  const columns = memberColumns(roles, ownId);
  return (
    <>
      {selection.selected.length > 0 && (
        <MemberSelection
          members={selection.selected}
          projects={projects}
          actions={actions}
          clear={selection.clear}
        />
      )}
      <FilteredList
        caption="Members of the organization"
        columns={actions.length > 0 ? [selection.column, ...columns] : columns}
        rows={rows}
        rowId={({ id }) => id}
        rowHref={({ id }) => paths.member(id)}
        noun="member"
        label="Search members"
        find={(all, typed) => findMembers(all, roles, typed)}
        none={(typed) =>
          typed === ""
            ? "No member passes these filters."
            : `No member${active.length > 0 ? " who passes these filters" : ""} has “${typed}” in their name, address or role.`
        }
        download={<CsvLink href={buildExportUrl("listUsers")} />}
        further={further}
        filters={<MemberFilters active={active} seesGroups={seesGroups} />}
      />
    </>
  );
}

/** Returns the members whose name, address and role contain every typed word. */
function findMembers(all: readonly User[], roles: readonly Role[], typed: string) {
  return all.filter((user) =>
    containsWords(`${user.name} ${user.email} ${findRoleName(user, roles)}`, typed),
  );
}

type MemberFiltersProps = { active: readonly (typeof filterNames)[number][]; seesGroups: boolean };

/** The filters of the list, bound to the address. The gateway applies them. */
function MemberFilters({ active, seesGroups }: MemberFiltersProps) {
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

const ChangeMembersDialog = loadOnClient(() =>
  import("./many/change-members-dialog").then((file) => file.ChangeMembersDialog),
);

type MemberSelectionProps = {
  members: readonly User[];
  projects: readonly Project[];
  /** What the person may do with several members at once. */
  actions: readonly ActionType[];
  clear: () => void;
};

/** What can be done with the chosen members. */
function MemberSelection({ members, projects, actions, clear }: MemberSelectionProps) {
  const [asks, setAsks] = useState<ActionType | null>(null);
  async function copyAddresses() {
    const isCopied = await copyText(members.map(({ email }) => email).join("\n"));
    toast({
      message: copyOutcomes[isCopied ? "copied" : "refused"],
      ...(!isCopied && { tone: "bad" as const }),
    });
  }
  return (
    <>
      <SelectionBar count={members.length} noun="member" clear={clear}>
        {actions.map((type) => (
          <Button key={type} onClick={() => setAsks(type)}>
            {actionWords[type].label}
          </Button>
        ))}
        <Button onClick={() => void copyAddresses()}>
          <Copy aria-hidden />
          Copy addresses
        </Button>
      </SelectionBar>
      {asks && (
        <ChangeMembersDialog
          type={asks}
          members={members}
          projects={projects}
          close={() => setAsks(null)}
          done={() => {
            setAsks(null);
            clear();
          }}
        />
      )}
    </>
  );
}
