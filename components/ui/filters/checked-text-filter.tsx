"use client";

import { useCallback, useId, useState } from "react";
import { Field, fieldAttributes } from "../fields/field";
import type { ParsedText } from "../number-fields/parse-quantity";
import { useTypedParameter } from "./use-typed-parameter";

type CheckedTextFilterProps = {
  label: string;
  parameter: string;
  placeholder: string;
  inputMode: "numeric" | "decimal";
  /** Parses a text that isn't blank. Must be stable. */
  parse: (text: string) => ParsedText<string>;
  /** How a value that was typed differently is shown as understood. */
  tidy?: (value: string) => string;
};

/** A text field bound to a parameter of the address. Invalid text doesn't filter and shows an error. */
export function CheckedTextFilter({
  label,
  parameter,
  placeholder,
  inputMode,
  parse,
  tidy,
}: CheckedTextFilterProps) {
  const id = useId();
  const clean = useCallback(
    (text: string) => {
      const result = parse(text);
      return result.ok ? result.value : "";
    },
    [parse],
  );
  const [text, setText] = useTypedParameter(parameter, clean);
  const [isLeft, setIsLeft] = useState(true);
  const result = text.trim() === "" ? null : parse(text);
  const error = isLeft && result && !result.ok ? result.message : undefined;
  const understood = result?.ok && tidy ? tidy(result.value) : null;
  return (
    <Field
      id={id}
      label={label}
      error={error}
      understood={understood !== null && understood !== text.trim() ? `= ${understood}` : undefined}
    >
      <input
        {...fieldAttributes(id, error)}
        className="field h-8 pointer-coarse:h-11"
        placeholder={placeholder}
        inputMode={inputMode}
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
