import type { Control } from "react-hook-form";
import * as z from "zod/mini";
import { TextField } from "@/components/form/text-field";
import { displayName } from "@/lib/contract/schema";

/** What the forms that create or rename a key ask for. */
export const keyName = z.strictObject({ name: displayName });
export type KeyName = z.output<typeof keyName>;

export function KeyNameField({ control }: { control: Control<KeyName> }) {
  return (
    <TextField
      control={control}
      name="name"
      label="Name"
      apiName="name"
      maxLength={100}
      help="The program that uses it, such as “nightly reports”."
    />
  );
}
