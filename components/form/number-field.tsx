"use client";

import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { groupDigits } from "../ui/group-digits";
import { Field, fieldAttributes } from "./field";
import { parseQuantity } from "./parse-quantity";
import type { BoundField } from "./text-field";
import { UnitInput } from "./unit-input";
import { useEarlyEntry } from "./use-early-entry";
import { useParsedText } from "./use-parsed-text";

type NumberFieldProps<Values extends FieldValues> = BoundField<Values> & {
  /** Beside the number: "requests / min". */
  unit?: string;
  placeholder?: string;
  /** What the form holds while the field is empty, where that means something ("no limit"). */
  emptyValue?: null;
};

const write = (value: number | string) => (typeof value === "number" ? groupDigits(String(value)) : value);

/**
 * A whole number as people write it (`1,000`, `1k`, `2.5m`), and below it what was understood. The form's value is a number,
 * or the text as typed, which every schema refuses, while it means none. Empty it is `emptyValue`, undefined where it is
 * optional, and otherwise an empty text: with undefined the form would go back to what is saved.
 */
export function NumberField<Values extends FieldValues>(props: NumberFieldProps<Values>) {
  const { control, name, disabled, unit, placeholder, emptyValue, ...words } = props;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const { value, onChange, onBlur, ...bound } = field;
  const typed = useParsedText<number | string>({ value, parse: parseQuantity, write });
  const empty = emptyValue === null ? null : words.optional ? undefined : "";
  // Whatever refused the field, while its text means no number the parser's words are the ones that help.
  const unread =
    typed.parsed && !typed.parsed.ok ? typed.parsed.message : value === "" ? "is required" : undefined;
  const error = typed.refusal ?? (fieldState.error && (unread ?? fieldState.error.message));
  const tidy = typed.parsed?.ok ? write(typed.parsed.value) : undefined;
  const understood = tidy && tidy !== typed.text.trim() ? `= ${tidy}${unit ? ` ${unit}` : ""}` : undefined;

  function type(text: string) {
    typed.type(text);
    const parsed = text.trim() === "" ? undefined : parseQuantity(text);
    onChange(parsed === undefined ? empty : parsed.ok ? parsed.value : text);
  }

  useEarlyEntry(id, type);

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
