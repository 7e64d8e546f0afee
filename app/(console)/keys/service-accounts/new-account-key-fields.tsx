import type { Control } from "react-hook-form";
import * as z from "zod/mini";
import { keyLifetime, lifetimeOptions } from "@/components/keys/key-lifetime";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { displayName } from "@/lib/contract/schema";
import { unlimitedScope } from "../key-scope";
import { KeyScopeDisclosure, keyScopeLabels } from "../key-scope-fields";
import { keyScopeForm } from "../key-scope-form";

/** The form values for a service account's new key. */
export const newAccountKey = z.strictObject({
  name: displayName,
  lifetime: keyLifetime,
  ...keyScopeForm.shape,
});
export type NewAccountKey = z.output<typeof newAccountKey>;

/** Initial values, labels, and the field names that errors can refer to. */
export const defaultAccountKey: NewAccountKey = { name: "", lifetime: "never", ...unlimitedScope };
export const accountKeyLabels = { name: "Name", lifetime: "Its key expires", ...keyScopeLabels };
export const accountKeyNames = ["name", "models", "endpoints"] as const;

/** `help` explains the name. */
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
      <KeyScopeDisclosure control={control} />
    </>
  );
}
