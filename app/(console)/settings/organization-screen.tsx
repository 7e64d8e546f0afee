"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { type Control, useController } from "react-hook-form";
import * as z from "zod/mini";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { OrganizationMark } from "@/components/shell/logo";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/fields/field";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { Form } from "@/components/ui/form/form";
import { ReadOnlyNotice } from "@/components/ui/form/read-only-notice";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import {
  MAX_LOGO_LENGTH,
  type NumberFormat,
  type OrganizationChange,
  type OrganizationSettings,
} from "@/lib/contract/operations/projects/organization";
import { displayName } from "@/lib/contract/schema";
import { changeOrganization } from "./actions";

const schema = z.strictObject({
  name: displayName,
  logo: z.string(),
  time_zone: z.string(),
  number_format: z.string(),
});
const names = ["name", "logo", "time_zone", "number_format"] as const;
const labels = { name: "Name", logo: "Logo", time_zone: "Time zone", number_format: "Numbers" };
/** `""` is the zone of whoever looks. */
const OWN_ZONE = { value: "", label: "Each person’s own" };
const numberOptions = [
  { value: "comma", label: "1,234,567.89" },
  { value: "space", label: "1\u202f234\u202f567.89" },
  { value: "apostrophe", label: "1’234’567.89" },
];

/** The settings of the organization. */
export function OrganizationScreen({ canChange }: { canChange: boolean }) {
  return (
    <ReadState
      read={useRead("retrieveOrganization")}
      to="see the organization"
      skeleton={<FormSkeleton fields={2} />}
    >
      {(organization) => <OrganizationForm organization={organization} canChange={canChange} />}
    </ReadState>
  );
}

type OrganizationFormProps = { organization: OrganizationSettings; canChange: boolean };

function OrganizationForm({ organization, canChange }: OrganizationFormProps) {
  const router = useRouter();
  const [zones] = useState(() => listZones(organization.time_zone));
  const form = useEditForm(schema, toValues(organization));
  const { changed: _, ...saving } = useSaveChanges(form, {
    saved: organization,
    action: changeOrganization,
    refetch: ["retrieveOrganization"],
    names,
    toInput: (change, { version }) => ({ change: toChange(change), version }),
    toValues,
    // The shell shows the name and the logo, and every screen dates and numbers.
    onSaved: () => router.refresh(),
  });
  return (
    <Form
      form={form}
      name="organization"
      what="the organization"
      isEdit
      labels={labels}
      className="grid max-w-[560px] gap-5"
      onSubmit={saving.save}
    >
      {!canChange && <ReadOnlyNotice what="the organization" permission="api.organization.write" />}
      <TextField
        control={form.control}
        name="name"
        label={labels.name}
        apiName="name"
        maxLength={100}
        disabled={!canChange}
        help="Shown on invitations, emails and statements: “Join Acme Robotics”."
      />
      <LogoField control={form.control} disabled={!canChange} />
      <SelectField
        control={form.control}
        name="time_zone"
        label={labels.time_zone}
        apiName="time_zone"
        options={zones}
        disabled={!canChange}
        help="For dates and times on all screens. Days of limits, months and exports stay in UTC."
      />
      <SelectField
        control={form.control}
        name="number_format"
        label={labels.number_format}
        apiName="number_format"
        options={numberOptions}
        disabled={!canChange}
        help="For numbers on all screens. You can type any of these forms; exports have plain digits."
      />
      <dl className="grid gap-1">
        <dt className="font-medium">Currency</dt>
        <dd>{organization.currency}</dd>
        <dd className="text-sm text-muted">All amounts are in this currency. It can’t be changed.</dd>
      </dl>
      <SaveFooter saving={saving} labels={labels} nothing="Nothing" canUndo canWrite={canChange} />
    </Form>
  );
}

function toValues({ name, logo, time_zone, number_format }: OrganizationSettings): OrganizationValues {
  return { name, logo: logo ?? "", time_zone: time_zone ?? "", number_format };
}

function toChange({ name, logo, time_zone, number_format }: Partial<OrganizationValues>): OrganizationChange {
  return {
    ...(name !== undefined && { name }),
    ...(logo !== undefined && { logo: logo || null }),
    ...(time_zone !== undefined && { time_zone: time_zone || null }),
    ...(number_format !== undefined && { number_format: number_format as NumberFormat }),
  };
}

/** The zones that the browser knows. The saved one is among them even if this browser doesn't know it. */
function listZones(saved: string | null) {
  const known = Intl.supportedValuesOf("timeZone");
  const all = saved === null || known.includes(saved) ? known : [saved, ...known];
  return [OWN_ZONE, ...all.map((value) => ({ value, label: value.replaceAll("_", " ") }))];
}

type LogoFieldProps = { control: Control<OrganizationValues>; disabled: boolean };

/** The settings of the organization as they are typed. Empty text is nothing. */
type OrganizationValues = { name: string; logo: string; time_zone: string; number_format: string };

/** Shows the logo, and takes another from a file. */
function LogoField({ control, disabled }: LogoFieldProps) {
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
