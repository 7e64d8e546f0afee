"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { invitesRead, membersRead } from "@/components/roles/member-reads";
import type { Project } from "@/components/roles/principal";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { SortedTable } from "@/components/ui/table/sorted-table";
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
