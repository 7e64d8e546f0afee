"use client";

import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import type { BoundField } from "../fields/text-field";
import { groupDigits } from "../values/group-digits";
import { parseDecimal } from "./parse-number";
import { ParsedInput, useParsedText } from "./parsed-input";

type DecimalFieldProps<Values extends FieldValues> = BoundField<Values> & {
  /** Shown next to the number: the currency, "× list price". */
  unit?: string;
  placeholder?: string;
  /** Set for payment amounts: other currencies and ambiguous amounts are then refused. */
  currency?: string | undefined;
  /** Maximum decimal places; 9 (nano-units) by default. */
  places?: number;
};

const withCents = (decimal: string) => (decimal.includes(".") ? decimal : `${decimal}.00`);

/** Marks refused text, which could be the API's decimal of another amount: 1.234 can mean 1234. */
const REFUSED = "\u2060";

/**
 * A field for money or a rate. Its value is the API's decimal string. Text that isn't understood is kept as the value,
 * and schemas refuse it.
 */
export function DecimalField<Values extends FieldValues>(props: DecimalFieldProps<Values>) {
  const { control, name, disabled, unit, placeholder, currency, places = 9, ...texts } = props;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const { value, onChange, ...bound } = field;
  const parse = (text: string) => parseDecimal(text, { places, currency });
  const write = (decimal: string) => {
    if (parse(decimal).ok) return groupDigits(decimal);
    // A saved amount of three decimals, which would be refused as it is.
    return /^\d+\.\d{3}$/.test(decimal) ? `${decimal}0` : decimal.replace(REFUSED, "");
  };
  const input = useParsedText<string>({ value, parse, write });
  const isMissing = typeof value === "string" && value.trim() === "";
  const unread = input.parsed && !input.parsed.ok ? input.parsed.message : null;
  const invalid = isMissing ? "is required" : (unread ?? fieldState.error?.message);
  const error = input.refusal ?? (fieldState.error && invalid);

  function type(text: string) {
    input.type(text);
    const result = parse(text);
    onChange(result.ok ? result.value : text.trim() && `${text}${REFUSED}`);
  }

  return (
    <ParsedInput
      inputMode="decimal"
      {...{ id, bound, typed: input, write, type, error, unit, placeholder, disabled, texts }}
      // “1,234” is another amount where a comma is the decimal point.
      spell={currency === undefined ? undefined : (decimal) => groupDigits(withCents(decimal))}
    />
  );
}
