"use client";

import type { Control } from "react-hook-form";
import { TextareaField, TextField } from "@/components/ui/fields/text-field";
import type { RoleForm } from "./role-form";

export const roleFieldNames = ["role_name", "description", "permissions"] as const;
export const roleLabels = {
  role_name: "Name",
  description: "Description",
  permissions: "Permissions",
  other_permissions: "Other permissions",
};

/** What a role is called. */
export function RoleFields({ control }: { control: Control<RoleForm> }) {
  return (
    <div className="grid gap-4 py-4">
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
    </div>
  );
}
