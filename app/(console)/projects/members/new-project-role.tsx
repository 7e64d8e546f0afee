"use client";

import { showProblem } from "@/app/queries/actions/show-problem";
import { useCreate } from "@/app/queries/actions/use-create";
import { groupPermissions } from "@/app/role-form/permission-groups";
import { RoleFields, roleFieldNames, roleLabels } from "@/app/role-form/role-fields";
import { roleForm } from "@/app/role-form/role-form-schema";
import { toast } from "@/components/dialog/toast";
import { FormDialog } from "@/components/form/form-dialog";
import { useNewForm } from "@/components/form/use-schema-form";
import { type Permission, projectPermissions } from "@/lib/contract/access/permissions";
import type { Project } from "@/lib/contract/operations/projects/projects";
import { createProjectRole } from "./role-actions";

const groups = groupPermissions(projectPermissions);

export function NewProjectRole({ project, close }: { project: Project; close: () => void }) {
  const form = useNewForm(roleForm, {
    role_name: "",
    description: "",
    permissions: [],
    other_permissions: "",
  });
  const create = useCreate(createProjectRole, {
    refetch: ["listProjectRoles"],
    onSuccess: ({ name }) => {
      toast({ message: `Role “${name}” created` });
      close();
    },
    onError: ({ problem }) => showProblem(form, roleFieldNames, problem),
  });
  return (
    <FormDialog
      form={form}
      name="new-project-role"
      what="the new role"
      labels={roleLabels}
      position="wide"
      title={`Create a role of ${project.name}`}
      description="It can be held in this project alone."
      submit="Create role"
      pending={create.isPending}
      close={close}
      onSubmit={({ role_name, description, permissions }) =>
        create.mutate({
          projectId: project.id,
          role: { role_name, description: description || null, permissions: permissions as Permission[] },
        })
      }
    >
      <RoleFields control={form.control} groups={groups} />
    </FormDialog>
  );
}
