"use client";

import { useCallback } from "react";
import { parseDecimal } from "../number-fields/parse-decimal";
import { groupDigits, trimDecimal } from "../values/group-digits";
import { CheckedTextFilter } from "./checked-text-filter";

type AmountFilterProps = {
  label: string;
  parameter: string;
  placeholder: string;
  /** The currency of the filtered amounts. Decides which texts are ambiguous, as in the payment form. */
  currency?: string | undefined;
};

const tidy = (value: string) => groupDigits(trimDecimal(value));

/** An amount field bound to the address. Parses amounts as all forms do: `1,00` is 1.00. */
export function AmountFilter({ currency, ...field }: AmountFilterProps) {
  const parse = useCallback((text: string) => parseDecimal(text, { currency }), [currency]);
  return <CheckedTextFilter {...field} inputMode="decimal" parse={parse} tidy={tidy} />;
}
