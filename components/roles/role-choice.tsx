"use client";

import { CircleX } from "lucide-react";
import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { ApiName } from "@/components/ui/api-name";
import { leaveGroup } from "@/components/ui/fields/leave-group";
import type { BoundField } from "@/components/ui/fields/text-field";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { Role } from "@/lib/contract/operations/people/roles";
import { findLackedPermission } from "./give-roles";

type RoleChoiceProps<Values extends FieldValues> = BoundField<Values> & {
  roles: readonly Role[];
  held: HeldPermissions | null;
  /** The project of the role; null for the organization. */
  projectId?: string | null;
};

/** Selects a role of the organization or a project. Says which roles have permissions that the giver lacks. */
export function RoleChoice<Values extends FieldValues>(props: RoleChoiceProps<Values>) {
  const { control, name, label, apiName, help, roles, held, projectId = null } = props;
  const lacking = (role: Role) => findLackedPermission(role, held, projectId);
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const error = fieldState.error?.message;
  const focused = roles.find((role) => role.id === field.value) ?? roles.find((role) => !lacking(role));
  return (
    <fieldset className="grid min-w-0 gap-1.5" aria-describedby={`${id}-help`}>
      <legend className="mb-1.5 flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{label}</span>
        <ApiName name={apiName} />
      </legend>
      <div
        {...leaveGroup(field.onBlur)}
        className={`rounded-md border bg-surface outline-none ${error ? "border-danger" : ""}`}
      >
        {roles.map((role) => (
          <label
            key={role.id}
            className="flex cursor-pointer items-start gap-2.5 border-b px-3 py-2 last:border-b-0 not-has-disabled:hover:bg-default-soft has-disabled:cursor-not-allowed pointer-coarse:py-3"
          >
            <span className="flex h-5 items-center">
              <input
                type="radio"
                ref={role === focused ? field.ref : undefined}
                name={`${id}-role`}
                value={role.id}
                checked={field.value === role.id}
                disabled={lacking(role) !== null}
                onChange={() => field.onChange(role.id)}
                className="size-4 shrink-0 rounded-full accent-accent"
              />
            </span>
            <RoleWords role={role} lacking={lacking(role)} />
          </label>
        ))}
      </div>
      <div id={`${id}-help`} className="min-h-5 text-sm text-muted empty:hidden">
        {error ? (
          <span className="flex items-start gap-1.5 text-danger">
            <CircleX aria-hidden className="mt-0.5 size-4 shrink-0" />
            {error}
          </span>
        ) : (
          help
        )}
      </div>
    </fieldset>
  );
}

function RoleWords({ role: { name, description }, lacking }: { role: Role; lacking: string | null }) {
  return (
    <span className="min-w-0 wrap-anywhere">
      <span className={lacking ? "block text-muted" : "block"}>{name}</span>
      {description && <span className="block text-sm text-muted">{description}</span>}
      {lacking && (
        <span className="block text-sm text-muted">
          You can’t assign it: it includes <code className="font-mono text-xs">{lacking}</code>, which you
          don’t hold.
        </span>
      )}
    </span>
  );
}
