"use client";

import { Users } from "lucide-react";
import type { ReactNode } from "react";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import type { Project } from "@/components/roles/principal";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { containsWords } from "@/components/ui/search/match-words";
import { EmptyState } from "@/components/ui/states/empty-state";
import { FilteredList, type FurtherRows } from "@/components/ui/table/filtered-list";
import { useRowSelection } from "@/components/ui/table/use-row-selection";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { User } from "@/lib/contract/operations/people/users";
import type { ActionType } from "./many/member-action";
import { MemberSelection } from "./many/member-selection";
import { findRoleName, memberColumns } from "./member-columns";
import { filterNames, memberListRead, readMemberFilter } from "./member-filter";
import { MemberFilters } from "./member-filters";
import { MemberListSkeleton } from "./member-list-skeleton";

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
