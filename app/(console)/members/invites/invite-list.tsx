"use client";

import { useRead } from "@/app/queries/reads/use-read";
import { ReadState } from "@/app/queries/states/read-state";
import { invitesRead, membersRead } from "@/app/role-assignments/member-reads";
import type { Project } from "@/app/role-assignments/principal";
import { useOrganizationRoles } from "@/app/role-assignments/use-organization-roles";
import { TableSkeleton } from "@/components/states/skeleton";
import { FirstRowsNote } from "@/components/table/first-rows-note";
import { SortedTable } from "@/components/table/sorted-table";
import { Section } from "@/components/ui/section";
import type { Invite } from "@/lib/contract/operations/people/invites";
import { inviteActions, inviteColumns } from "./invite-columns";
import { listOpenInvites } from "./list-open-invites";

type InviteListProps = {
  projects: readonly Project[];
  /** Undefined for people who can't invite. */
  inviteAgain: ((invite: Invite) => void) | undefined;
};

/** Invitations that haven't been accepted. */
export function InviteList({ projects, inviteAgain }: InviteListProps) {
  const invites = useRead(...invitesRead);
  const joined = useRead(...membersRead, { enabled: false }).data?.data ?? [];
  const roles = useOrganizationRoles();
  const columns = inviteColumns({ roles, projects });
  return (
    <Section
      title="Invitations"
      description="Each link works once, within seven days. People who have joined are listed above."
    >
      <ReadState read={invites} to="list the invitations" skeleton={<TableSkeleton rows={2} columns={5} />}>
        {({ data, has_more: hasMore }) => (
          <div>
            <SortedTable
              caption="Pending invitations"
              columns={inviteAgain ? [...columns, inviteActions(inviteAgain)] : columns}
              rows={listOpenInvites(data, new Set(joined.map(({ email }) => email)))}
              rowId={({ id }) => id}
              none="There are no pending invitations."
            />
            {hasMore && <FirstRowsNote shown={data.length} />}
          </div>
        )}
      </ReadState>
    </Section>
  );
}
