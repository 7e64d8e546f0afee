"use client";

import type { ReactNode } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { addProjectGroup, addProjectMember } from "@/app/(console)/projects/actions";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { RoleChoice } from "@/components/roles/role-choice";
import { useMemberSuggestions } from "@/components/roles/use-member-suggestions";
import { toast } from "@/components/ui/dialog/toast";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import { projectMemberRole } from "@/lib/contract/access/predefined-roles";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { Project, ProjectGroup } from "@/lib/contract/operations/projects/projects";
import { emailAddress } from "@/lib/contract/schema";

type WithRole = FieldValues & { role: string };

/** What the dialogs that add somebody to a project share. */
export type AddToProjectProps = {
  project: Project;
  roles: readonly Role[];
  held: HeldPermissions | null;
  close: () => void;
};

type AddToProjectDialogProps<Draft extends WithRole> = AddToProjectProps & {
  form: UseFormReturn<Draft>;
  noun: "group" | "member";
  /** The field that chooses whom to add. */
  field: ReactNode;
  labels: Partial<Record<Path<Draft>, string>>;
  description?: string;
  pending: boolean;
  add: (draft: Draft & { projectId: string }) => void;
};

/** A dialog that gives a group or a member a role in the project. */
export function AddToProjectDialog<Draft extends WithRole>(props: AddToProjectDialogProps<Draft>) {
  const { project, roles, held, close, form, noun, labels, field, description, pending, add } = props;
  return (
    <FormDialog
      form={form}
      name={`add-project-${noun}`}
      what={noun === "group" ? "the group" : "the new member"}
      labels={labels}
      title={`Add a ${noun} to ${project.name}`}
      description={description}
      submit={`Add ${noun}`}
      pending={pending}
      close={close}
      onSubmit={(draft) => add({ projectId: project.id, ...draft })}
    >
      {field}
      <RoleChoice
        control={form.control}
        name={"role" as Path<Draft>}
        label={`Role in ${project.name}`}
        apiName="role"
        roles={roles}
        held={held}
        projectId={project.id}
      />
    </FormDialog>
  );
}

const chosen = z.string().check(z.minLength(1, "must be chosen"));
const groupAddition = z.strictObject({ group_id: chosen, role: chosen });

type AddProjectGroupProps = AddToProjectProps & {
  present: readonly ProjectGroup[];
};

/** Gives a group a role in the project. */
export function AddProjectGroup({ project, roles, held, present, close }: AddProjectGroupProps) {
  const groups = useRead(...wholeList("listGroups"));
  const form = useNewForm(groupAddition, { group_id: "", role: projectMemberRole.id });
  const add = useCreate(addProjectGroup, {
    refetch: ["listProjectGroups", "listProjectUserRoles", "listRoleHolders"],
    onSuccess: ({ group_name: name }) => {
      toast({ message: `Group “${name}” added to ${project.name}` });
      close();
    },
    onError: ({ problem }) => showProblem(form, ["group_id", "role"], problem),
  });
  const left = groups.data?.data.filter(({ id }) => present.every((one) => one.group_id !== id));
  return (
    <AddToProjectDialog
      {...{ project, roles, held, close, form }}
      noun="group"
      labels={{ group_id: "Group", role: "Role" }}
      field={
        <SelectField
          control={form.control}
          name="group_id"
          label="Group"
          apiName="group_id"
          placeholder="Choose a group"
          options={(left ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          help={left?.length === 0 && "All groups are already added. Create groups under Groups."}
        />
      }
      pending={add.isPending}
      add={add.mutate}
    />
  );
}

const memberAddition = z.strictObject({
  email: emailAddress,
  role: chosen,
});

type AddProjectMemberProps = AddToProjectProps & {
  /** True if the person can see the organization's members. */
  seesMembers: boolean;
};

/** Gives a member a role in the project. */
export function AddProjectMember(props: AddProjectMemberProps) {
  const { project, roles, held, seesMembers, close } = props;
  const form = useNewForm(memberAddition, { email: "", role: projectMemberRole.id });
  const add = useCreate(addProjectMember, {
    refetch: ["listProjectUsers", "listProjectUserRoles", "listRoleHolders"],
    onSuccess: ({ name }) => {
      toast({ message: `${name} added to ${project.name}` });
      close();
    },
    onError: ({ problem }) => showProblem(form, ["email", "role"], problem),
  });
  const suggestions = useMemberSuggestions(useWatch({ control: form.control, name: "email" }), seesMembers);
  return (
    <AddToProjectDialog
      {...{ project, roles, held, close, form }}
      noun="member"
      description="To add someone who isn’t in the organization yet, invite them under Members."
      labels={{ email: "Email", role: "Role" }}
      field={
        <TextField
          control={form.control}
          name="email"
          label="Email"
          apiName="email"
          type="email"
          maxLength={254}
          suggestions={suggestions}
          help="The address they sign in with."
        />
      }
      pending={add.isPending}
      add={add.mutate}
    />
  );
}
