"use client";

import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { groupDigits } from "../ui/group-digits";
import { Field, fieldAttributes } from "./field";
import { parseDecimal } from "./parse-decimal";
import type { BoundField } from "./text-field";
import { UnitInput } from "./unit-input";
import { useEarlyEntry } from "./use-early-entry";
import { useParsedText } from "./use-parsed-text";

type DecimalFieldProps<Values extends FieldValues> = BoundField<Values> & {
  /** Shown next to the number: the currency, "× list price". */
  unit?: string;
  placeholder?: string;
  /** Set for payment amounts: other currencies and ambiguous amounts are then refused. */
  currency?: string | undefined;
  /** Maximum decimal places; 9 (nano-units) by default. */
  places?: number;
};

/** A field for money or a rate. Its value is the API's decimal string, or the typed text if that isn't a number. */
export function DecimalField<Values extends FieldValues>(props: DecimalFieldProps<Values>) {
  const { control, name, disabled, unit, placeholder, currency, places = 9, ...words } = props;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const { value, onChange, onBlur, ...bound } = field;
  const parse = (text: string) => parseDecimal(text, { places, currency });
  const write = (decimal: string) => (parse(decimal).ok ? groupDigits(decimal) : decimal);
  const typed = useParsedText<string>({ value, parse, write });
  const tidy = typed.parsed?.ok ? write(typed.parsed.value) : undefined;
  const understood = tidy && tidy !== typed.text.trim() ? `= ${tidy}${unit ? ` ${unit}` : ""}` : undefined;
  const error = typed.refusal ?? fieldState.error?.message;

  function type(text: string) {
    typed.type(text);
    const parsed = parse(text);
    onChange(parsed.ok ? parsed.value : text);
  }

  useEarlyEntry(id, type);

  return (
    <Field id={id} error={error} understood={understood} {...words}>
      <UnitInput
        {...fieldAttributes(id, error)}
        {...bound}
        value={typed.text}
        inputMode="decimal"
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
