"use client";

import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { groupDigits } from "../ui/group-digits";
import { parseDecimal } from "./parse-decimal";
import { ParsedInput } from "./parsed-input";
import type { BoundField } from "./text-field";
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
  const { value, onChange, ...bound } = field;
  const parse = (text: string) => parseDecimal(text, { places, currency });
  const write = (decimal: string) => (parse(decimal).ok ? groupDigits(decimal) : decimal);
  const input = useParsedText<string>({ value, parse, write });
  const isMissing = typeof value === "string" && value.trim() === "";
  const error = input.refusal ?? (fieldState.error && isMissing ? "is required" : fieldState.error?.message);

  function type(text: string) {
    input.type(text);
    const result = parse(text);
    onChange(result.ok ? result.value : text);
  }

  return (
    <ParsedInput
      inputMode="decimal"
      {...{ id, bound, typed: input, write, type, error, unit, placeholder, disabled, words }}
    />
  );
}
