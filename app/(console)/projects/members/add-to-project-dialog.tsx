"use client";

import type { ReactNode } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { RoleChoice } from "@/components/roles/role-choice";
import { FormDialog } from "@/components/ui/form/form-dialog";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { Project } from "@/lib/contract/operations/projects/projects";

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
