"use client";

import { useId } from "react";
import { type Control, type FieldPath, type FieldValues, useController, useWatch } from "react-hook-form";
import { classNames } from "@/components/ui/class-names";
import { MIN_PASSWORD_LENGTH } from "@/lib/contract/access/device-token";
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
