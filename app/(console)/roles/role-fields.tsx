"use client";

import type { Control } from "react-hook-form";
import { CheckboxGroup } from "@/components/ui/fields/checkbox-group";
import type { CheckboxOptionGroup } from "@/components/ui/fields/choose-options";
import { TextField } from "@/components/ui/fields/text-field";
import { TextareaField } from "@/components/ui/fields/textarea-field";
import type { RoleForm } from "./role-form-schema";

export const roleFieldNames = ["role_name", "description", "permissions"] as const;
export const roleLabels = {
  role_name: "Name",
  description: "Description",
  permissions: "Permissions",
  other_permissions: "Other permissions",
};

type RoleFieldsProps = {
  control: Control<RoleForm>;
  groups: readonly CheckboxOptionGroup[];
  /** Shows a text field for permissions without a checkbox. */
  withOthers?: boolean;
};

export function RoleFields({ control, groups, withOthers = false }: RoleFieldsProps) {
  return (
    <>
      <TextField
        control={control}
        name="role_name"
        label={roleLabels.role_name}
        apiName="role_name"
        placeholder="Such as Auditor"
        help="Unique among the roles here, at most 100 characters."
      />
      <TextareaField
        control={control}
        name="description"
        label={roleLabels.description}
        apiName="description"
        placeholder="Such as: reads the ledger and the rate limits, changes nothing"
        rows={2}
        optional
      />
      <CheckboxGroup
        control={control}
        name="permissions"
        label={roleLabels.permissions}
        apiName="permissions"
        groups={groups}
        noun="permissions"
      />
      {withOthers && (
        <TextareaField
          control={control}
          name="other_permissions"
          label={roleLabels.other_permissions}
          apiName="permissions"
          placeholder="Such as api.groups.read"
          help="Permissions of this gateway that are not in the list, one per line."
          rows={2}
          optional
        />
      )}
    </>
  );
}
