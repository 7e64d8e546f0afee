import { Trash2 } from "lucide-react";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { findOrganizationRole, findProjectRole } from "@/components/roles/give-roles";
import type { Project } from "@/components/roles/principal";
import { listPredefinedRoles } from "@/components/roles/use-organization-roles";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { RelativeTime } from "@/components/ui/time/relative-time";
import type { Invite } from "@/lib/contract/operations/people/invites";
import type { Role } from "@/lib/contract/operations/people/roles";
import { withdrawInvite } from "../actions";

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

export function inviteColumns(names: Names): readonly Column<Invite>[] {
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
export function inviteActions(inviteAgain: (invite: Invite) => void): Column<Invite> {
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
