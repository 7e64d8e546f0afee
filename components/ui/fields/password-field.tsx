"use client";

import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { Field, fieldAttributes } from "./field";
import { useSecretField } from "./secret-fields";
import { SecretInput } from "./secret-input";
import type { BoundField } from "./text-field";
import { useEarlyEntry } from "./use-early-entry";

type PasswordFieldProps<Values extends FieldValues> = BoundField<Values> & {
  /** Tells password managers whether to fill in a password or to generate one. */
  autoComplete: "current-password" | "new-password";
};

/** A password field with a button that reveals the text. */
export function PasswordField<Values extends FieldValues>(props: PasswordFieldProps<Values>) {
  const { control, name, autoComplete, disabled, label, apiName, help, optional } = props;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  useEarlyEntry(id, field.onChange);
  useSecretField(control, name);
  const error = fieldState.error?.message;
  return (
    <Field id={id} error={error} {...{ label, apiName, help, optional }}>
      <SecretInput
        what={label.toLowerCase()}
        autoComplete={autoComplete}
        {...fieldAttributes(id, error)}
        {...field}
        value={field.value ?? ""}
        disabled={disabled}
      />
    </Field>
  );
}
