"use client";

import { type Control, type FieldPath, type FieldValues, useWatch } from "react-hook-form";
import { MIN_PASSWORD_LENGTH } from "@/lib/contract/access/device-token";
import { classNames } from "../class-names";
import { PasswordField } from "./password-field";

type NewPasswordFieldProps<Values extends FieldValues> = {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
};

/** A field for a new password, with its rule and the number of characters so far. */
export function NewPasswordField<Values extends FieldValues>({
  control,
  name,
  label,
}: NewPasswordFieldProps<Values>) {
  const typed: unknown = useWatch({ control, name });
  const length = typeof typed === "string" ? typed.length : 0;
  return (
    <div className="relative">
      <PasswordField
        control={control}
        name={name}
        label={label}
        autoComplete="new-password"
        help={`At least ${MIN_PASSWORD_LENGTH} characters of any kind, such as four or five words that don’t belong together.`}
      />
      {length > 0 && (
        <span
          className={classNames(
            "absolute top-0 right-0 text-sm",
            length < MIN_PASSWORD_LENGTH ? "text-muted" : "text-success",
          )}
        >
          {length} {length === 1 ? "character" : "characters"}
          {length < MIN_PASSWORD_LENGTH ? " so far" : " ✓"}
        </span>
      )}
    </div>
  );
}
