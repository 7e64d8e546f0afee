"use client";

import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { invitesRead } from "@/components/roles/member-reads";
import type { Project } from "@/components/roles/principal";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { containsWords } from "@/components/ui/search/match-words";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FilteredList } from "@/components/ui/table/filtered-list";
import type { Invite } from "@/lib/contract/operations/people/invites";
import { inviteActions, inviteColumns } from "./invite-columns";

type InviteListProps = {
  projects: readonly Project[];
  /** Undefined for people who can't invite. */
  inviteAgain: ((invite: Invite) => void) | undefined;
};

/** Invitations that haven't been accepted. */
export function InviteList({ projects, inviteAgain }: InviteListProps) {
  const invites = useRead(...invitesRead);
  const further = useFurtherRows(invitesRead, invites.data, "invite");
  const roles = useOrganizationRoles();
  const columns = inviteColumns({ roles, projects });
  return (
    <Section
      title="Invitations"
      description="Each link works once, within seven days. People who have joined are listed above."
    >
      <ReadState read={invites} to="list the invitations" skeleton={<TableSkeleton rows={2} columns={5} />}>
        {({ data }) => (
          <div>
            <FilteredList
              caption="Pending invitations"
              columns={inviteAgain ? [...columns, inviteActions(inviteAgain)] : columns}
              rows={data}
              rowId={({ id }) => id}
              noun="invitation"
              label="Search invitations"
              parameter="invite"
              unfilteredUpTo={20}
              find={(rows, typed) => rows.filter(({ email }) => containsWords(email, typed))}
              none={(typed) =>
                typed === ""
                  ? "There are no pending invitations."
                  : `No address that was invited has “${typed}”.`
              }
              further={further}
            />
          </div>
        )}
      </ReadState>
    </Section>
  );
}
