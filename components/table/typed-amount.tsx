"use client";

import { useCallback, useId, useState } from "react";
import { Field, fieldAttributes } from "../fields/field";
import { parseDecimal } from "../fields/parse-decimal";
import { groupDigits, trimDecimal } from "../values/group-digits";
import { useTypedParameter } from "./use-typed-parameter";

type TypedAmountProps = {
  label: string;
  parameter: string;
  placeholder: string;
  /** The currency of the filtered amounts. Decides which texts are ambiguous, as in the payment form. */
  currency?: string | undefined;
};

/**
 * An amount field bound to the address. Reads amounts as all forms do: `1,00` is 1.00. Invalid text doesn't filter and shows an
 * error.
 */
export function TypedAmount({ label, parameter, placeholder, currency }: TypedAmountProps) {
  const id = useId();
  const parseAmount = useCallback((text: string) => parseDecimal(text, { currency }), [currency]);
  const clean = useCallback(
    (text: string) => {
      const result = parseAmount(text);
      return result.ok ? result.value : "";
    },
    [parseAmount],
  );
  const [text, setText] = useTypedParameter(parameter, clean);
  const [isLeft, setIsLeft] = useState(true);
  const result = text.trim() === "" ? null : parseAmount(text);
  const error = isLeft && result && !result.ok ? result.message : undefined;
  const tidy = result?.ok ? groupDigits(trimDecimal(result.value)) : null;
  return (
    <Field
      id={id}
      label={label}
      error={error}
      understood={tidy !== null && tidy !== text.trim() ? `= ${tidy}` : undefined}
    >
      <input
        {...fieldAttributes(id, error)}
        className="field h-8 pointer-coarse:h-11"
        placeholder={placeholder}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setIsLeft(false);
          setText(event.target.value);
        }}
        onBlur={() => setIsLeft(true)}
      />
    </Field>
  );
}
