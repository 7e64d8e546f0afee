"use client";

import { useWatch } from "react-hook-form";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { groupPermissions } from "@/components/roles/permission-groups";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { type Permission, projectPermissions } from "@/lib/contract/access/permissions";
import type { Role } from "@/lib/contract/operations/people/roles";
import { RoleFields, roleFieldNames, roleLabels } from "../role-fields";
import { roleForm, toRoleForm } from "../role-form-schema";
import { RolePreviewSection } from "../role-preview-section";
import type { ProjectRolePage } from "./project-role-page";
import { editProjectRole } from "./role-actions";

type EditProjectRoleProps = {
  page: ProjectRolePage;
  role: Role;
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

export function EditProjectRole({ page, role, formName, close }: EditProjectRoleProps) {
  const { project, may } = page;
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
  const permissions = useWatch({ control: form.control, name: "permissions" });
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
      <RoleFields
        control={form.control}
        groups={groupPermissions([...projectPermissions, ...role.permissions])}
      />
      {may("api.role_assignments.read") && (
        <RolePreviewSection
          role={role}
          projectId={project.id}
          permissions={permissions}
          isChanged={changed.includes("permissions")}
        />
      )}
      {conflict && <ConflictDialog {...conflict} labels={roleLabels} nothing="Empty" />}
    </FormDialog>
  );
}
