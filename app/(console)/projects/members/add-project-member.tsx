"use client";

import * as z from "zod/mini";
import { showProblem } from "@/app/queries/show-problem";
import { useCreate } from "@/app/queries/use-create";
import { useRead } from "@/app/queries/use-read";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/form/text-field";
import { useNewForm } from "@/components/form/use-schema-form";
import { toast } from "@/components/ui/toast";
import type { ProjectUser } from "@/lib/contract/operations/project-users";
import type { Project } from "@/lib/contract/operations/projects";
import type { Role } from "@/lib/contract/operations/roles";
import { projectMemberRole } from "@/lib/contract/predefined-roles";
import { emailAddress } from "@/lib/contract/schema";
import { memberReads } from "../../members/reads-of-members";
import type { Held } from "../../members/roles/give-roles";
import { RoleChoice } from "../../members/roles/role-choice";
import { addProjectMember } from "./member-actions";

const [[, everyMember]] = memberReads;
const addition = z.strictObject({
  email: emailAddress,
  role: z.string().check(z.minLength(1, "must be chosen")),
});

type AddProjectMemberProps = {
  project: Project;
  roles: readonly Role[];
  held: Held;
  /** True if the person can see the organization's members. */
  seesMembers: boolean;
  present: readonly ProjectUser[];
  close: () => void;
};

/** Gives a member a role in the project. */
export function AddProjectMember(props: AddProjectMemberProps) {
  const { project, roles, held, seesMembers, present, close } = props;
  const members = useRead("listUsers", everyMember, { enabled: seesMembers });
  const form = useNewForm(addition, { email: "", role: projectMemberRole.id });
  const add = useCreate(addProjectMember, {
    changes: ["listProjectUsers", "listProjectUserRoles", "listRoleHolders"],
    onSuccess: ({ name }) => {
      toast({ message: `${name} added to ${project.name}` });
      close();
    },
    onError: ({ problem }) => showProblem(form, ["email", "role"], problem),
  });
  const left = (members.data?.data ?? []).filter(({ id }) => present.every((one) => one.id !== id));
  return (
    <FormDialog
      form={form}
      name="add-project-member"
      what="the new member"
      labels={{ email: "Email", role: "Role" }}
      title={`Add a member to ${project.name}`}
      description="Somebody who is not in the organization yet is invited under Members."
      submit="Add member"
      pending={add.isPending}
      close={close}
      onSubmit={(draft) => add.mutate({ projectId: project.id, ...draft })}
    >
      <TextField
        control={form.control}
        name="email"
        label="Email"
        apiName="email"
        type="email"
        maxLength={254}
        suggestions={left.map(({ email, name }) => ({ value: email, label: name }))}
        help="The address they sign in with."
      />
      <RoleChoice
        control={form.control}
        name="role"
        label={`Role in ${project.name}`}
        apiName="role"
        roles={roles}
        held={held}
        projectId={project.id}
      />
    </FormDialog>
  );
}
