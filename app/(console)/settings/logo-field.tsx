"use client";

import { useId, useState } from "react";
import { type Control, useController } from "react-hook-form";
import { OrganizationMark } from "@/components/shell/organization-mark";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/fields/field";
import { shrinkPicture } from "./shrink-picture";

type LogoFieldProps = { control: Control<OrganizationValues>; disabled: boolean };

/** The settings of the organization as they are typed. Empty text is nothing. */
export type OrganizationValues = { name: string; logo: string; time_zone: string; number_format: string };

/** Shows the logo, and takes another from a file. */
export function LogoField({ control, disabled }: LogoFieldProps) {
  const id = useId();
  const { field, fieldState } = useController({ control, name: "logo" });
  const [fault, setFault] = useState<string>();
  async function take(file: File | undefined) {
    if (!file) return;
    try {
      field.onChange(await shrinkPicture(file));
      setFault(undefined);
    } catch {
      setFault(`“${file.name}” can’t be read as a picture. Choose a PNG, JPEG or WebP file.`);
    }
  }
  return (
    <Field
      id={id}
      label="Logo"
      apiName="logo"
      error={fault ?? fieldState.error?.message}
      help="Shown beside the name, on invitations and on statements. A square picture looks best."
    >
      <div className="flex flex-wrap items-center gap-3">
        <span className="grid size-12 shrink-0 place-items-center rounded-md border bg-surface">
          <OrganizationMark logo={field.value || null} className="size-8" />
        </span>
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          disabled={disabled}
          aria-describedby={`${id}-help`}
          className="min-w-0 text-sm file:mr-3 file:h-8 file:rounded-md file:border file:border-field-border file:bg-surface file:px-3 file:font-medium"
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            currentTarget.value = "";
          }}
        />
        {field.value !== "" && !disabled && (
          <Button size="small" variant="ghost" onClick={() => field.onChange("")}>
            Remove logo
          </Button>
        )}
      </div>
    </Field>
  );
}
