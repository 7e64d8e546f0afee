import type { Control } from "react-hook-form";
import * as z from "zod/mini";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { displayName } from "@/lib/contract/schema";
import { keyLifetime, lifetimeOptions } from "../key-lifetime";

/** What the forms that make a key for a service account ask for. */
export const newAccountKey = z.strictObject({ name: displayName, lifetime: keyLifetime });
export type NewAccountKey = z.output<typeof newAccountKey>;

/** `help` says what the name is of. */
export function NewAccountKeyFields({ control, help }: { control: Control<NewAccountKey>; help: string }) {
  return (
    <>
      <TextField control={control} name="name" label="Name" apiName="name" maxLength={100} help={help} />
      <SelectField
        control={control}
        name="lifetime"
        label="Its key expires"
        apiName="expires_in_seconds"
        options={lifetimeOptions}
        help="Calls with an expired key are refused."
      />
    </>
  );
}
