"use client";

import { useWatch } from "react-hook-form";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { groupPermissions } from "@/components/roles/permission-groups";
import { Form } from "@/components/ui/form/form";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { ApiCallSection } from "@/components/ui/text/api-call-section";
import { paths } from "@/lib/console/paths";
import { permissions } from "@/lib/contract/access/permissions";
import type { Role } from "@/lib/contract/operations/people/roles";
import { changeRole } from "./actions";
import { RoleFields, roleFieldNames, roleLabels } from "./role-fields";
import { roleForm, toRoleForm } from "./role-form-schema";
import { RolePreviewSection } from "./role-preview-section";
import { changeRoleSnippets } from "./role-snippets";

type EditRoleFormProps = {
  role: Role;
  baseUrl: string;
  /** True if the person can see who holds roles, and therefore the effect of a change. */
  seesHolders: boolean;
};

export function EditRoleForm({ role, baseUrl, seesHolders }: EditRoleFormProps) {
  const form = useEditForm(roleForm, toRoleForm(role));
  const { changed, ...saving } = useSaveChanges(form, {
    saved: role,
    action: changeRole,
    refetch: ["listRoles", "explainPermission"],
    names: roleFieldNames,
    toInput: (change, { version }) => ({ roleId: role.id, change, version }),
    toValues: toRoleForm,
  });
  const typed = useWatch({ control: form.control });
  const shown = (changed.length > 0 ? changed : roleFieldNames).map((name) => [name, typed[name]]);

  return (
    <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)]">
      <Form
        form={form}
        name="role"
        what={`the role “${role.name}”`}
        isEdit
        createForm={{ path: paths.newRole(), name: "new-role", label: "Create a new role from it" }}
        labels={roleLabels}
        className="grid gap-5"
        onSubmit={saving.save}
      >
        <RoleFields control={form.control} groups={groupPermissions([...permissions, ...role.permissions])} />
        <SaveFooter saving={saving} labels={roleLabels} nothing="Empty" />
      </Form>
      <div className="grid content-start gap-10 xl:sticky xl:top-20 xl:self-start">
        {seesHolders && (
          <RolePreviewSection
            role={role}
            projectId={null}
            permissions={typed.permissions ?? []}
            isChanged={changed.includes("permissions")}
          />
        )}
        <ApiCallSection
          label="Role by API"
          snippets={changeRoleSnippets(baseUrl, role.id, Object.fromEntries(shown))}
        />
      </div>
    </div>
  );
}
