"use client";

import { Trash2, Upload, UserPlus } from "lucide-react";
import { useState } from "react";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { findLackedPermission, findOrganizationRole, findProjectRole } from "@/components/roles/give-roles";
import { invitesRead, membersRead } from "@/components/roles/member-reads";
import type { Project } from "@/components/roles/principal";
import { listPredefinedRoles, useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useReopen } from "@/components/ui/drafts/draft-scope";
import { IconButton } from "@/components/ui/icon-button";
import { LinkButton } from "@/components/ui/links/link-button";
import { GuideLink } from "@/components/ui/links/text-link";
import { PageHead } from "@/components/ui/page";
import { containsWords } from "@/components/ui/search/match-words";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { paths } from "@/lib/console/paths";
import { type HeldPermissions, holdsInOrganization, holdsInProject } from "@/lib/console/permissions-in";
import { projectMemberRole } from "@/lib/contract/access/predefined-roles";
import { toOrganizationRoleId, toProjectRoleId } from "@/lib/contract/access/role-words";
import type { Invite } from "@/lib/contract/operations/people/invites";
import type { Role } from "@/lib/contract/operations/people/roles";
import { withdrawInvite } from "./actions";
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

type Names = { roles: readonly Role[]; projects: readonly Project[] };

/** Returns text such as "checkout (Project member)". A project's own role is shown by id. */
function describeProjects({ projects: led }: Invite, { projects }: Names): string {
  const known = listPredefinedRoles("api.project");
  const words = led.map(({ id, role }) => {
    const name = projects.find((project) => project.id === id)?.name ?? id;
    return `${name} (${findProjectRole(known, role)?.name ?? role})`;
  });
  return words.length > 0 ? words.join(", ") : "none";
}

function inviteColumns(names: Names): readonly Column<Invite>[] {
  return [
    {
      id: "email",
      header: "Email",
      sortValue: ({ email }) => email,
      cell: ({ email }) => <span className="font-medium wrap-anywhere">{email}</span>,
    },
    {
      id: "role",
      header: "Role",
      apiName: "role",
      width: "w-36",
      cell: ({ role }) => (
        <span className="wrap-anywhere">{findOrganizationRole(names.roles, role)?.name ?? role}</span>
      ),
    },
    {
      id: "projects",
      header: "Projects",
      apiName: "projects",
      cell: (invite) => (
        <span className="text-right wrap-anywhere sm:text-left">{describeProjects(invite, names)}</span>
      ),
    },
    {
      id: "sent",
      header: "Sent",
      apiName: "created_at",
      width: "w-32",
      sortValue: (invite) => invite.created_at,
      cell: (invite) => <RelativeTime at={invite.created_at} />,
    },
    {
      id: "expires",
      header: "Expires",
      apiName: "expires_at",
      width: "w-40",
      sortValue: (invite) => invite.expires_at,
      cell: (invite) =>
        invite.status === "expired" ? (
          <Status tone="near">
            <span>
              expired <RelativeTime at={invite.expires_at} />
            </span>
          </Status>
        ) : (
          <RelativeTime at={invite.expires_at} />
        ),
    },
  ];
}

/** The column of actions on an invitation. */
function inviteActions(inviteAgain: (invite: Invite) => void): Column<Invite> {
  return {
    id: "actions",
    header: "Actions",
    numeric: true,
    width: "w-48",
    phone: "end",
    cell: (invite) => (
      <span className="flex items-center justify-end gap-1">
        {invite.status === "expired" && (
          <Button size="small" onClick={() => inviteAgain(invite)}>
            Invite again
          </Button>
        )}
        <HistoryLink id={invite.id} rowName={invite.email} />
        <WithdrawInvite invite={invite} />
      </span>
    ),
  };
}

/** Withdraws a pending invitation, or removes an expired one. */
function WithdrawInvite({ invite: { id, email, status } }: { invite: Invite }) {
  const isPending = status === "pending";
  const verb = isPending ? "Withdraw" : "Delete";
  const question = `${verb} the invitation of ${email}`;
  return (
    <ConfirmedAction
      renderButton={(ask) => <IconButton size="small" label={question} icon={<Trash2 />} onClick={ask} />}
      title={`${question}?`}
      confirmLabel={`${verb} invitation`}
      action={withdrawInvite}
      input={{ inviteId: id }}
      // If the invitation was accepted meanwhile, there is a new member too.
      refetch={["listInvites", "listUsers"]}
      done={() => `Invitation of ${email} ${isPending ? "withdrawn" : "deleted"}`}
    >
      {isPending
        ? "Its link stops working immediately. You can invite them again at any time."
        : "Its link has stopped working already; it goes from this list."}
    </ConfirmedAction>
  );
}
