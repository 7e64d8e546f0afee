"use client";

import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { Field, fieldAttributes } from "./field";
import type { BoundField } from "./text-field";
import { useEarlyEntry } from "./use-early-entry";

type TextareaFieldProps<Values extends FieldValues> = BoundField<Values> & {
  rows?: number;
  placeholder?: string;
};

/** A text area that grows with its content. */
export function TextareaField<Values extends FieldValues>(props: TextareaFieldProps<Values>) {
  const { control, name, disabled, rows = 3, placeholder, ...texts } = props;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  useEarlyEntry(id, field.onChange);
  const error = fieldState.error?.message;
  return (
    <Field id={id} error={error} {...texts}>
      <textarea
        {...fieldAttributes(id, error)}
        {...field}
        value={field.value ?? ""}
        rows={rows}
        placeholder={placeholder}
        disabled={disabled}
        className="field field-sizing-content max-h-96 min-h-20 py-2"
      />
    </Field>
  );
}
