"use client";

import { type ComponentProps, useId } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { classNames } from "@/components/ui/class-names";
import { Field, type FieldTexts, fieldAttributes } from "./field";
import { useSecretField } from "./secret-fields";
import { useEarlyEntry } from "./use-early-entry";

export type BoundField<Values extends FieldValues> = FieldTexts & {
  control: Control<Values>;
  name: FieldPath<Values>;
  disabled?: boolean;
};

type TextFieldProps<Values extends FieldValues> = BoundField<Values> &
  Pick<
    ComponentProps<"input">,
    "type" | "inputMode" | "autoComplete" | "placeholder" | "maxLength" | "autoFocus"
  > & {
    /** Shows the text in a monospaced font, for keys, ids and addresses. */
    mono?: boolean;
    /** The unit of a number, shown beside it: "seconds". */
    unit?: string;
    /** Suggested values. Any other text is allowed too. */
    suggestions?: readonly { value: string; label: string }[];
  };

export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { control, name, disabled, mono = false, unit, suggestions, ...shown } = props;
  const { label, apiName, help, optional, ...input } = shown;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  useEarlyEntry(id, field.onChange);
  useSecretField(control, name, input.type === "password" || input.autoComplete === "one-time-code");
  const error = fieldState.error?.message;
  return (
    <Field id={id} error={error} {...{ label, apiName, help, optional }}>
      <div className="flex items-center gap-2">
        <input
          autoComplete="off"
          {...input}
          {...fieldAttributes(id, error)}
          {...field}
          value={field.value ?? ""}
          disabled={disabled}
          spellCheck={mono ? false : undefined}
          list={suggestions && `${id}-suggestions`}
          className={classNames("field h-9 pointer-coarse:h-11", mono && "font-mono text-sm")}
        />
        {unit && <span className="text-sm text-muted">{unit}</span>}
      </div>
      {suggestions && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion.value} value={suggestion.value}>
              {suggestion.label}
            </option>
          ))}
        </datalist>
      )}
    </Field>
  );
}

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
