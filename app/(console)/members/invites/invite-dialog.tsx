"use client";

import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { findLackedPermission, smallestRole } from "@/components/roles/give-roles";
import type { Project } from "@/components/roles/principal";
import { RoleChoice } from "@/components/roles/role-choice";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { ShownOnce } from "@/components/ui/text/shown-once";
import { formatExactTime } from "@/components/ui/time/describe-time";
import { paths } from "@/lib/console/paths";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { CreatedInvite } from "@/lib/contract/operations/people/invites";
import type { Role } from "@/lib/contract/operations/people/roles";
import { inviteMember } from "../actions";
import { type InviteFormValues, inviteFormSchema } from "./invite-form-schema";
import { InviteProjects } from "./invite-projects";

export type InviteDialogProps = {
  /** Initial values. For an expired invitation that is sent again, its values. */
  initial: InviteFormValues;
  projects: readonly Project[];
  held: HeldPermissions | null;
  /** The origin at which people open this console; null means the current one. */
  consoleOrigin: string | null;
  close: () => void;
};

/** Asks for the address, role and projects, then shows the link, which can't be shown again. */
export function InviteDialog({ initial, projects, held, consoleOrigin, close }: InviteDialogProps) {
  const roles = useOrganizationRoles();
  const initialRole = initial.role || (smallestRole(roles, held)?.id ?? "");
  const form = useNewForm(inviteFormSchema, { ...initial, role: initialRole });
  const invite = useCreate(inviteMember, {
    refetch: ["listInvites"],
    onError: ({ problem }) => showProblem(form, listFieldNames(form.getValues()), problem),
  });
  if (invite.data) return <InvitedLink invite={invite.data} consoleOrigin={consoleOrigin} close={close} />;
  const isPowerless = roles.every((role) => findLackedPermission(role, held, null) !== null);
  return (
    <FormDialog
      form={form}
      name="new-invite"
      what="the invitation"
      labels={{ email: "Email", role: "Role", projects: "Projects" }}
      onSubmit={(draft) => invite.mutate(draft)}
      title="Invite member"
      description="They join by a link that you send them. You can give only permissions that you hold."
      submit="Invite member"
      pending={invite.isPending}
      close={close}
    >
      <TextField
        control={form.control}
        name="email"
        label="Email"
        apiName="email"
        type="email"
        maxLength={254}
        help="The address they will sign in with."
      />
      {projects.length > 0 && <InviteProjects control={form.control} projects={projects} held={held} />}
      <RoleChoice
        control={form.control}
        name="role"
        label="Role in the organization"
        apiName="role"
        roles={firstChosen(roles, initialRole)}
        held={held}
        help={isPowerless && "You can’t give any of these roles: each has a permission that you don’t hold."}
      />
    </FormDialog>
  );
}

/** The preselected role comes first, so that it is seen without scrolling. */
function firstChosen(roles: readonly Role[], id: string): readonly Role[] {
  return roles.toSorted((one, other) => Number(other.id === id) - Number(one.id === id));
}

/** Returns the API's names of all fields that an error can refer to. */
function listFieldNames({ projects }: InviteFormValues) {
  return [
    "email" as const,
    "role" as const,
    ...projects.map((_, index) => `projects.${index}.role` as const),
  ];
}

type InvitedLinkProps = { invite: CreatedInvite; consoleOrigin: string | null; close: () => void };

/** Shows a new invitation's link once. */
function InvitedLink({ invite, consoleOrigin, close }: InvitedLinkProps) {
  return (
    <ShownOnce
      title={`${invite.email} is invited`}
      description="Send them this link. It is shown only once. If the gateway has a mail server, they have been emailed it too."
      noun="link"
      text={`${consoleOrigin ?? window.location.origin}${paths.invite(invite.token)}`}
      loss="It can’t be shown again. If you lose it, withdraw the invitation and create a new one."
      close={close}
    >
      <p className="text-muted">
        It works once and expires in seven days: {formatExactTime(invite.expires_at)}. Anyone who opens it can
        choose a name and a password, and is a member then.
      </p>
    </ShownOnce>
  );
}
