import type { Control, FieldValues, Path } from "react-hook-form";
import * as z from "zod/mini";
import { TextField } from "@/components/ui/fields/text-field";
import { displayName } from "@/lib/contract/schema";

/** The form values for creating or renaming a key. */
export const keyName = z.strictObject({ name: displayName });
export type KeyName = z.output<typeof keyName>;

export function KeyNameField<Values extends FieldValues & KeyName>({
  control,
}: {
  control: Control<Values>;
}) {
  return (
    <TextField
      control={control}
      name={"name" as Path<Values>}
      label="Name"
      apiName="name"
      maxLength={100}
      help="The program that uses it, such as “nightly reports”."
    />
  );
}
