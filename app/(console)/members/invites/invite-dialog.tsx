"use client";

import { Plus, X } from "lucide-react";
import { useId } from "react";
import { type Control, useFieldArray, useWatch } from "react-hook-form";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { findLackedPermission, smallestRole } from "@/components/roles/give-roles";
import type { Project } from "@/components/roles/principal";
import { RoleChoice } from "@/components/roles/role-choice";
import { listPredefinedRoles, useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { composeButtonStyle } from "@/components/ui/button";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu/menu";
import { ShownOnce } from "@/components/ui/text/shown-once";
import { formatExactTime } from "@/components/ui/time/describe-time";
import { paths } from "@/lib/console/paths";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import { projectMemberRole } from "@/lib/contract/access/predefined-roles";
import type { CreatedInvite } from "@/lib/contract/operations/people/invites";
import type { Role } from "@/lib/contract/operations/people/roles";
import { inviteMember } from "../actions";
import { type InviteFormValues, inviteFormSchema } from "./invite-form-schema";

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

type InviteProjectsProps = {
  control: Control<InviteFormValues>;
  projects: readonly Project[];
  held: HeldPermissions | null;
};

/** The projects of an invitation, each with a role. */
function InviteProjects({ control, projects, held }: InviteProjectsProps) {
  const id = useId();
  const chosen = useFieldArray({ control, name: "projects", keyName: "key" });
  const left = projects.filter((project) => chosen.fields.every((field) => field.id !== project.id));
  const findProjectName = (projectId: string) =>
    projects.find((project) => project.id === projectId)?.name ?? projectId;
  const toEntry = (projectId: string, label: string) => ({
    id: projectId,
    label,
    onSelect: () => chosen.append({ id: projectId, role: projectMemberRole.id }),
  });
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={`${id}-help`}>
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="font-medium">Projects</span>
        <code className="font-mono text-xs text-muted">projects</code>
        <span className="ml-auto text-xs text-muted">Optional</span>
      </legend>
      {chosen.fields.map((field, index) => (
        <div key={field.key} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <ProjectRole
              control={control}
              index={index}
              project={{ id: field.id, name: findProjectName(field.id) }}
              held={held}
            />
          </div>
          <IconButton
            label={`Leave out ${findProjectName(field.id)}`}
            icon={<X />}
            onClick={() => chosen.remove(index)}
            className="mt-7"
          />
        </div>
      ))}
      {left.length > 0 && (
        <div>
          <Menu
            noun="projects"
            triggerClassName={composeButtonStyle("secondary", "small")}
            trigger={
              <>
                <Plus aria-hidden />
                Add a project
              </>
            }
            sections={[{ entries: left.map(({ id: projectId, name }) => toEntry(projectId, name)) }]}
          />
        </div>
      )}
      <p id={`${id}-help`} className="text-sm text-muted">
        A role in the organization counts in every project; one here counts in its project alone.
      </p>
    </fieldset>
  );
}

type ProjectRoleProps = {
  control: Control<InviteFormValues>;
  index: number;
  project: Project;
  held: HeldPermissions | null;
};

function ProjectRole({ control, index, project, held }: ProjectRoleProps) {
  const read = useRead(...wholeList("listProjectRoles", { project_id: project.id }));
  const chosen = useWatch({ control, name: `projects.${index}.role` });
  // Keep a selected role even if the person can't give it; the error below explains that.
  const roles = (read.data?.data ?? listPredefinedRoles("api.project")).filter(
    (role) => role.id === chosen || findLackedPermission(role, held, project.id) === null,
  );
  return (
    <SelectField
      control={control}
      name={`projects.${index}.role`}
      label={project.name}
      options={roles.map(({ id, name }) => ({ value: id, label: name }))}
      help={roles.find(({ id }) => id === chosen)?.description}
    />
  );
}
