"use client";

import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useMemberSuggestions } from "@/components/roles/use-member-suggestions";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { projectMemberRole } from "@/lib/contract/access/predefined-roles";
import { emailAddress } from "@/lib/contract/schema";
import { AddToProjectDialog, type AddToProjectProps } from "./add-to-project-dialog";
import { addProjectMember } from "./member-actions";

const addition = z.strictObject({
  email: emailAddress,
  role: z.string().check(z.minLength(1, "must be chosen")),
});

type AddProjectMemberProps = AddToProjectProps & {
  /** True if the person can see the organization's members. */
  seesMembers: boolean;
};

/** Gives a member a role in the project. */
export function AddProjectMember(props: AddProjectMemberProps) {
  const { project, roles, held, seesMembers, close } = props;
  const form = useNewForm(addition, { email: "", role: projectMemberRole.id });
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
