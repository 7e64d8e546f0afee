"use client";

import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { groupDigits } from "../ui/group-digits";
import { Field, fieldAttributes } from "./field";
import { parseQuantity } from "./parse-quantity";
import type { BoundField } from "./text-field";
import { UnitInput } from "./unit-input";
import { useParsedText } from "./use-parsed-text";

type NumberFieldProps<Values extends FieldValues> = BoundField<Values> & {
  /** Beside the number: "requests / min". */
  unit?: string;
  placeholder?: string;
  /** What the form holds while the field is empty: `null` (no limit) or `undefined` (not sent). */
  emptyValue?: null | undefined;
};

const write = (value: number) => groupDigits(String(value));

/**
 * A whole number as people write it (`1,000`, `1k`, `2.5m`), and below it what was understood.
 * The form's value is a number; `NaN`, which every schema refuses, while the text means none.
 */
export function NumberField<Values extends FieldValues>(props: NumberFieldProps<Values>) {
  const { control, name, disabled, unit, placeholder, emptyValue, ...words } = props;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const { value, onChange, onBlur, ...bound } = field;
  const typed = useParsedText<number>({ value, parse: parseQuantity, write });
  // Whatever refused the field, while its text means no number the parser's words are the ones that help.
  const unread = typed.parsed && !typed.parsed.ok ? typed.parsed.message : undefined;
  const error = typed.refusal ?? (fieldState.error && (unread ?? fieldState.error.message));
  const tidy = typed.parsed?.ok ? write(typed.parsed.value) : undefined;
  const understood = tidy && tidy !== typed.text.trim() ? `= ${tidy}${unit ? ` ${unit}` : ""}` : undefined;

  function type(text: string) {
    typed.type(text);
    const parsed = text.trim() === "" ? undefined : parseQuantity(text);
    onChange(parsed === undefined ? emptyValue : parsed.ok ? parsed.value : Number.NaN);
  }

  return (
    <Field id={id} error={error} understood={understood} {...words}>
      <UnitInput
        {...fieldAttributes(id, error)}
        {...bound}
        value={typed.text}
        inputMode="numeric"
        unit={unit}
        placeholder={placeholder}
        disabled={disabled}
        onChange={(event) => type(event.target.value)}
        onBlur={() => {
          typed.leave();
          onBlur();
        }}
      />
    </Field>
  );
}
