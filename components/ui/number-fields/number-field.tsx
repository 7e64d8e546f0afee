"use client";

import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import type { BoundField } from "../fields/text-field";
import { formatCount } from "../values/group-digits";
import { parseQuantity } from "./parse-number";
import { ParsedInput, useParsedText } from "./parsed-input";

type NumberFieldProps<Values extends FieldValues> = BoundField<Values> & {
  /** Shown next to the number: "requests / min". */
  unit?: string;
  placeholder?: string;
  /** Value of the empty field, if empty has a meaning ("no limit"). */
  emptyValue?: null;
};

const write = (value: number | string) => (typeof value === "number" ? formatCount(value) : value);

/**
 * A whole number in common notation (`1,000`, `1k`, `2.5m`), with the parsed value below it. Text that isn't a number
 * is kept as the value, and schemas refuse it. If empty: `emptyValue`, undefined if optional, else "" (undefined would
 * restore the saved value).
 */
export function NumberField<Values extends FieldValues>(props: NumberFieldProps<Values>) {
  const { control, name, disabled, unit, placeholder, emptyValue, ...texts } = props;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const { value, onChange, ...bound } = field;
  const input = useParsedText<number | string>({ value, parse: parseQuantity, write });
  const empty = emptyValue === null ? null : texts.optional ? undefined : "";
  // If the text isn't a number, the parser's message is more helpful than the schema's.
  const unread =
    input.parsed && !input.parsed.ok ? input.parsed.message : value === "" ? "is required" : undefined;
  const error = input.refusal ?? (fieldState.error && (unread ?? fieldState.error.message));

  function type(text: string) {
    input.type(text);
    const result = text.trim() === "" ? undefined : parseQuantity(text);
    onChange(result === undefined ? empty : result.ok ? result.value : text);
  }

  return (
    <ParsedInput
      inputMode="numeric"
      {...{ id, bound, typed: input, write, type, error, unit, placeholder, disabled, texts }}
    />
  );
}
