"use client";

import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { type Permission, projectPermissions } from "@/lib/contract/access/permissions";
import type { Role } from "@/lib/contract/operations/people/roles";
import { usePermissionDraft } from "../editor/permission-draft";
import { PermissionList } from "../editor/permission-list";
import { SavingEffect } from "../editor/saving-effect";
import { useRolePreview } from "../editor/use-role-preview";
import { RoleFields, roleFieldNames, roleLabels } from "../role-fields";
import { toRoleForm } from "../role-form";
import { roleForm } from "../role-form-schema";
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
