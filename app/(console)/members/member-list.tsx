"use client";

import { Users } from "lucide-react";
import type { ReactNode } from "react";
import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { useRead } from "@/app/queries/use-read";
import { CsvLink } from "@/components/table/csv-link";
import { FilterInput } from "@/components/table/filter-input";
import { SortedTable } from "@/components/table/sorted-table";
import { Toolbar } from "@/components/table/toolbar";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { EmptyState } from "@/components/ui/empty-state";
import { paths } from "@/lib/console/paths";
import { exportUrl } from "@/lib/console/reads";
import { memberColumns, roleNameOf } from "./member-columns";
import { MemberListSkeleton } from "./member-list-skeleton";
import { memberReads } from "./reads-of-members";
import { useOrganizationRoles } from "./use-organization-roles";

const [[read, parameters]] = memberReads;

type MemberListProps = {
  ownId: string | null;
  /** What fills an empty list. */
  action: ReactNode;
};

export function MemberList({ ownId, action }: MemberListProps) {
  const members = useRead(read, parameters);
  const roles = useOrganizationRoles();
  const [filter] = useUrlParameter("q");

  if (!members.data && members.error) {
    const retry = () => void members.refetch();
    return <ProblemState problem={members.error.problem} to="list the members" retry={retry} />;
  }
  if (!members.data) return <MemberListSkeleton />;
  const { data: all, has_more: hasMore } = members.data;
  if (all.length === 0) {
    return (
      <EmptyState
        icon={Users}
        title="No member yet"
        action={action}
        example="For example a colleague who keeps the rate limits, or one who follows what is spent."
      >
        Members sign in with an address and a password of their own, and do what their roles allow.
      </EmptyState>
    );
  }
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = all.filter((user) => {
    const text = `${user.name} ${user.email} ${roleNameOf(user, roles)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <>
      <StaleNotice read={members} />
      <Toolbar actions={<CsvLink href={exportUrl("listUsers")} />}>
        <FilterInput label="Search members" />
      </Toolbar>
      <SortedTable
        caption="Members of the organization"
        columns={memberColumns(roles, ownId)}
        rows={rows}
        rowId={({ id }) => id}
        rowHref={({ id }) => paths.member(id)}
        none={`No member has “${filter}” in their name, address or role.`}
      />
      {hasMore && (
        <p className="mt-2 text-sm text-muted">
          These are the first {all.length}. The others are in the API, page by page.
        </p>
      )}
    </>
  );
}
