"use client";

import * as z from "zod/mini";
import { showProblem } from "@/app/queries/show-problem";
import { useCreate } from "@/app/queries/use-create";
import { useRead } from "@/app/queries/use-read";
import { FormDialog } from "@/components/form/form-dialog";
import { SelectField } from "@/components/form/select-field";
import { useNewForm } from "@/components/form/use-schema-form";
import { toast } from "@/components/ui/toast";
import type { ProjectGroup } from "@/lib/contract/operations/project-groups";
import type { Project } from "@/lib/contract/operations/projects";
import type { Role } from "@/lib/contract/operations/roles";
import { projectMemberRole } from "@/lib/contract/predefined-roles";
import type { Held } from "../../members/roles/give-roles";
import { RoleChoice } from "../../members/roles/role-choice";
import { addProjectGroup } from "./member-actions";

const chosen = z.string().check(z.minLength(1, "must be chosen"));
const addition = z.strictObject({ group_id: chosen, role: chosen });

type AddProjectGroupProps = {
  project: Project;
  roles: readonly Role[];
  held: Held;
  present: readonly ProjectGroup[];
  close: () => void;
};

/** Gives a group a role in the project. */
export function AddProjectGroup({ project, roles, held, present, close }: AddProjectGroupProps) {
  const groups = useRead("listGroups", { limit: "1000" });
  const form = useNewForm(addition, { group_id: "", role: projectMemberRole.id });
  const add = useCreate(addProjectGroup, {
    changes: ["listProjectGroups", "listProjectUserRoles", "listRoleHolders"],
    onSuccess: ({ group_name: name }) => {
      toast({ message: `Group “${name}” added to ${project.name}` });
      close();
    },
    onError: ({ problem }) => showProblem(form, ["group_id", "role"], problem),
  });
  const left = groups.data?.data.filter(({ id }) => present.every((one) => one.group_id !== id));
  return (
    <FormDialog
      form={form}
      name="add-project-group"
      what="the group"
      labels={{ group_id: "Group", role: "Role" }}
      title={`Add a group to ${project.name}`}
      submit="Add group"
      pending={add.isPending}
      close={close}
      onSubmit={(draft) => add.mutate({ projectId: project.id, ...draft })}
    >
      <SelectField
        control={form.control}
        name="group_id"
        label="Group"
        apiName="group_id"
        placeholder="Choose a group"
        options={(left ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        help={left?.length === 0 && "No group is left to add. Groups are made under Groups."}
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
