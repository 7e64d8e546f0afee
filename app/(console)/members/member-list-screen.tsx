"use client";

import { Upload, UserPlus } from "lucide-react";
import { useState } from "react";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { findLackedPermission } from "@/components/roles/give-roles";
import { invitesRead, membersRead } from "@/components/roles/member-reads";
import type { Project } from "@/components/roles/principal";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useReopen } from "@/components/ui/drafts/draft-scope";
import { GuideLink } from "@/components/ui/links/guide-link";
import { LinkButton } from "@/components/ui/links/link-button";
import { PageHead } from "@/components/ui/page-head";
import { containsWords } from "@/components/ui/search/match-words";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { paths } from "@/lib/console/paths";
import { type HeldPermissions, holdsInOrganization, holdsInProject } from "@/lib/console/permissions-in";
import { projectMemberRole } from "@/lib/contract/access/predefined-roles";
import { toOrganizationRoleId, toProjectRoleId } from "@/lib/contract/access/role-words";
import type { Invite } from "@/lib/contract/operations/people/invites";
import { inviteActions, inviteColumns } from "./invites/invite-columns";
import type { InviteFormValues } from "./invites/invite-form-schema";
import type { ActionType } from "./many/member-action";
import { MemberList } from "./member-list";

const InviteDialog = loadOnClient(() => import("./invites/invite-dialog").then((file) => file.InviteDialog));

type MemberListScreenProps = {
  /** The signed-in member's id; null for a key. */
  ownId: string | null;
  held: HeldPermissions | null;
  projects: readonly Project[];
  currentProjectId: string | null;
  consoleOrigin: string | null;
  seesInvites: boolean;
  seesGroups: boolean;
  /** Unix seconds. */
  openedAt: number;
  canInvite: boolean;
};

/** The organization's members and invitations. */
export function MemberListScreen(props: MemberListScreenProps) {
  const { ownId, held, projects, currentProjectId, consoleOrigin, seesInvites } = props;
  const { seesGroups, openedAt, canInvite } = props;
  const [inviting, setInviting] = useState<InviteFormValues | null>(null);
  const isEmpty = useRead(...membersRead).data?.data.length === 0;
  const beginning: InviteFormValues = {
    email: "",
    role: "",
    // Preselect the current project, since a new member most likely belongs to it.
    projects:
      currentProjectId && findLackedPermission(projectMemberRole, held, currentProjectId) === null
        ? [{ id: currentProjectId, role: projectMemberRole.id }]
        : [],
  };
  useReopen("new-invite", () => setInviting(canInvite ? beginning : null));
  const inviteButton = canInvite && <InviteButton invite={() => setInviting(beginning)} />;
  return (
    <>
      <PageHead
        title="Members"
        sentence={
          <>
            Who can sign in, and the roles that define what they can do. Programs use keys instead.{" "}
            <GuideLink page="signing-in">Signing in, explained</GuideLink>
          </>
        }
        action={
          !isEmpty && (
            <>
              {canInvite && <UploadLink />}
              {inviteButton}
            </>
          )
        }
      />
      <MemberList
        ownId={ownId}
        seesGroups={seesGroups}
        openedAt={openedAt}
        projects={projects}
        actions={listActions(held, projects, seesGroups)}
        action={inviteButton}
      />
      {seesInvites && (
        <div className="mt-10">
          <InviteList
            projects={projects}
            inviteAgain={canInvite ? (invite) => setInviting(toFormValues(invite)) : undefined}
          />
        </div>
      )}
      {inviting && (
        <InviteDialog
          initial={inviting}
          projects={projects}
          held={held}
          consoleOrigin={consoleOrigin}
          close={() => setInviting(null)}
        />
      )}
    </>
  );
}

function InviteButton({ invite }: { invite: () => void }) {
  return (
    <Button variant="primary" onClick={invite}>
      <UserPlus aria-hidden />
      Invite member
    </Button>
  );
}

function UploadLink() {
  return (
    <LinkButton href={paths.membersUpload()}>
      <Upload aria-hidden />
      Upload CSV
    </LinkButton>
  );
}

/** What the person may do with several members at once. */
function listActions(
  held: HeldPermissions | null,
  projects: readonly Project[],
  seesGroups: boolean,
): ActionType[] {
  if (!holdsInOrganization(held, "api.users.write")) return [];
  const isInProjects = projects.some(({ id }) => holdsInProject(held, id, "api.project_users.write"));
  const isInGroups = seesGroups && holdsInOrganization(held, "api.groups.write");
  return [
    "set_role",
    ...(isInProjects ? (["set_project_role", "leave_project"] as const) : []),
    ...(isInGroups ? (["join_group", "leave_group"] as const) : []),
    "remove",
  ];
}

/** Returns an invitation's values for the form, with roles by id. */
function toFormValues({ email, role, projects }: Invite): InviteFormValues {
  const led = projects.map(({ id, role: word }) => ({ id, role: toProjectRoleId(word) }));
  return { email, role: toOrganizationRoleId(role), projects: led };
}

type InviteListProps = {
  projects: readonly Project[];
  /** Undefined for people who can't invite. */
  inviteAgain: ((invite: Invite) => void) | undefined;
};

/** Invitations that haven't been accepted. */
function InviteList({ projects, inviteAgain }: InviteListProps) {
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
