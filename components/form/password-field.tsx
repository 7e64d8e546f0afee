"use client";

import { Eye, EyeOff } from "lucide-react";
import { useId, useState } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { IconButton } from "../ui/icon-button";
import { Field, fieldAttributes } from "./field";
import { useSecretField } from "./secret-fields";
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
  const [isShown, setIsShown] = useState(false);
  const { field, fieldState } = useController({ control, name });
  useEarlyEntry(id, field.onChange);
  useSecretField(control, name);
  const error = fieldState.error?.message;
  return (
    <Field id={id} error={error} {...{ label, apiName, help, optional }}>
      <div className="relative">
        <input
          autoComplete={autoComplete}
          {...fieldAttributes(id, error)}
          {...field}
          type={isShown ? "text" : "password"}
          value={field.value ?? ""}
          disabled={disabled}
          autoCapitalize="none"
          spellCheck={false}
          className="field h-9 pr-10 pointer-coarse:h-11 pointer-coarse:pr-12"
        />
        <span className="absolute inset-y-0 right-0.5 grid place-items-center">
          <IconButton
            label={`${isShown ? "Hide" : "Show"} ${label.toLowerCase()}`}
            icon={isShown ? <EyeOff /> : <Eye />}
            onClick={() => setIsShown(!isShown)}
          />
        </span>
      </div>
    </Field>
  );
}
