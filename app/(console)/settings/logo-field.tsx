"use client";

import { useId, useState } from "react";
import { type Control, useController } from "react-hook-form";
import { OrganizationMark } from "@/components/shell/organization-mark";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/fields/field";
import { MAX_LOGO_LENGTH } from "@/lib/contract/operations/projects/organization";

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

/** The side of a logo: three times what the widest place shows. */
const SIDE = 96;

/**
 * Returns a picture as a small square data URL, in which all of it is seen.
 * @throws if the browser can't read it as a picture.
 */
async function shrinkPicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  const scale = Math.min(SIDE / picture.width, SIDE / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  canvas.getContext("2d")?.drawImage(picture, (SIDE - width) / 2, (SIDE - height) / 2, width, height);
  const asPng = canvas.toDataURL("image/png");
  // A photograph is too long as PNG.
  return asPng.length <= MAX_LOGO_LENGTH ? asPng : canvas.toDataURL("image/webp", 0.8);
}
