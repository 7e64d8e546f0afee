"use client";

import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { type Permission, projectPermissions } from "@/lib/contract/access/permissions";
import { usePermissionDraft } from "../editor/permission-draft";
import { PermissionList } from "../editor/permission-list";
import { RoleFields, roleFieldNames, roleLabels } from "../role-fields";
import { roleForm } from "../role-form-schema";
import type { ProjectRolePage } from "./project-role-page";
import { createProjectRole } from "./role-actions";

export function NewProjectRole({ page, close }: { page: ProjectRolePage; close: () => void }) {
  const { project, held } = page;
  const form = useNewForm(roleForm, {
    role_name: "",
    description: "",
    permissions: [],
    other_permissions: "",
  });
  const draft = usePermissionDraft({
    control: form.control,
    offered: projectPermissions,
    saved: [],
    held,
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
      description="It can be held in this project only."
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
      <RoleFields control={form.control} />
      <PermissionList draft={draft} />
    </FormDialog>
  );
}
