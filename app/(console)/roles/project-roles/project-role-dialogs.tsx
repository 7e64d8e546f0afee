"use client";

import { createProjectRole, editProjectRole } from "@/app/(console)/roles/actions";
import { usePermissionDraft } from "@/app/(console)/roles/editor/permission-draft";
import { PermissionList } from "@/app/(console)/roles/editor/permission-list";
import { SavingEffect } from "@/app/(console)/roles/editor/saving-effect";
import { useRolePreview } from "@/app/(console)/roles/editor/use-role-preview";
import { RoleFields, roleFieldNames, roleLabels } from "@/app/(console)/roles/role-fields";
import { toRoleForm } from "@/app/(console)/roles/role-form";
import { roleForm } from "@/app/(console)/roles/role-form-schema";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm, useNewForm } from "@/components/ui/form/use-schema-form";
import { type Permission, projectPermissions } from "@/lib/contract/access/permissions";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { ProjectRolePage } from "./project-role-page";

type EditProjectRoleProps = {
  page: ProjectRolePage;
  role: Role;
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

export function EditProjectRole({ page, role, formName, close }: EditProjectRoleProps) {
  const { project, may, held } = page;
  const form = useEditForm(roleForm, toRoleForm(role));
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: role,
    action: editProjectRole,
    refetch: ["listProjectRoles", "listProjectUserRoles", "explainPermission"],
    names: roleFieldNames,
    toInput: ({ permissions, ...change }, { version }) => ({
      projectId: project.id,
      roleId: role.id,
      change: { ...change, ...(permissions && { permissions: permissions as Permission[] }) },
      version,
    }),
    toValues: toRoleForm,
    onSaved: ({ name }) => {
      toast({ message: `Role “${name}” changed` });
      close();
    },
  });
  const draft = usePermissionDraft({
    control: form.control,
    offered: projectPermissions,
    saved: role.permissions,
    held,
  });
  const seesHolders = may("api.role_assignments.read");
  const preview = useRolePreview(
    { ...role, projectId: project.id },
    draft.chosen,
    seesHolders && changed.includes("permissions"),
  );
  return (
    <FormDialog
      form={form}
      name={formName}
      what={`the role “${role.name}”`}
      isEdit
      labels={roleLabels}
      position="wide"
      title={`Change the role “${role.name}”`}
      description={`Who holds it in ${project.name} gets these permissions from the next request on.`}
      submit="Save changes"
      pending={pending}
      close={close}
      onSubmit={(values) => (changed.length > 0 ? save(values) : close())}
    >
      <RoleFields control={form.control} />
      <PermissionList draft={draft} />
      <section aria-label="What saving changes">
        <SavingEffect draft={draft} preview={seesHolders ? preview : undefined} isNew={false} />
      </section>
      {conflict && <ConflictDialog {...conflict} labels={roleLabels} nothing="Empty" />}
    </FormDialog>
  );
}

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
