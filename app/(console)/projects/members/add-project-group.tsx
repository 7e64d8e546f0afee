"use client";

import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { toast } from "@/components/ui/dialog/toast";
import { SelectField } from "@/components/ui/fields/select-field";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { projectMemberRole } from "@/lib/contract/access/predefined-roles";
import type { ProjectGroup } from "@/lib/contract/operations/projects/projects";
import { AddToProjectDialog, type AddToProjectProps } from "./add-to-project-dialog";
import { addProjectGroup } from "./member-actions";

const chosen = z.string().check(z.minLength(1, "must be chosen"));
const addition = z.strictObject({ group_id: chosen, role: chosen });

type AddProjectGroupProps = AddToProjectProps & {
  present: readonly ProjectGroup[];
};

/** Gives a group a role in the project. */
export function AddProjectGroup({ project, roles, held, present, close }: AddProjectGroupProps) {
  const groups = useRead(...wholeList("listGroups"));
  const form = useNewForm(addition, { group_id: "", role: projectMemberRole.id });
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
