"use client";

import type { ComponentProps } from "react";
import { useState } from "react";
import type { ControllerRenderProps } from "react-hook-form";
import { Field, type FieldTexts, fieldAttributes } from "@/components/ui/fields/field";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";
import type { ParsedText } from "./parse-number";

type ParsedInputProps<Value> = {
  id: string;
  bound: Omit<ControllerRenderProps, "value" | "onChange">;
  typed: ReturnType<typeof useParsedText<Value>>;
  write: (value: Value) => string;
  /** Writes the number unmistakably. What is typed with separators is shown so, however it is written. */
  spell?: ((value: Value) => string) | undefined;
  /** Called with the text that the person entered. */
  type: (text: string) => void;
  error: string | undefined;
  inputMode: "decimal" | "numeric";
  unit: string | undefined;
  placeholder: string | undefined;
  disabled: boolean | undefined;
  texts: FieldTexts;
};

/**
 * The text box of a number field. Shows the parsed number below it if that is written differently: "= 1,000 requests".
 */
export function ParsedInput<Value>(props: ParsedInputProps<Value>) {
  const { id, typed, write, spell, type, error, inputMode, unit, placeholder, disabled, texts } = props;
  const { onBlur, ...bound } = props.bound;
  const text = typed.text.trim();
  const isGrouped = /\d[^\d]\d{3}$/.test(text);
  const tidy = typed.parsed?.ok ? ((isGrouped && spell) || write)(typed.parsed.value) : undefined;
  const understoodText = tidy && tidy !== text ? `= ${tidy}${unit ? ` ${unit}` : ""}` : undefined;
  useEarlyEntry(id, type);
  return (
    <Field id={id} error={error} understood={understoodText} {...texts}>
      <UnitInput
        {...fieldAttributes(id, error)}
        {...bound}
        value={typed.text}
        inputMode={inputMode}
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

/**
 * Keeps the typed text apart from the value it stands for. The text changes by typing or when the value is set from
 * outside (a reset, a discarded change), and is reformatted on blur.
 */
export function useParsedText<Value>(options: {
  value: Value | null | undefined;
  parse: (text: string) => ParsedText<Value>;
  write: (value: Value) => string;
}) {
  const { value, parse, write } = options;
  const writtenValue = value === null || value === undefined ? "" : write(value);
  const [text, setText] = useState(writtenValue);
  const [hasLeft, setLeft] = useState(writtenValue !== "");
  const result: ParsedText<Value> | undefined = text.trim() === "" ? undefined : parse(text);

  const parsedValue = result?.ok ? result.value : undefined;
  const [lastValue, setSeen] = useState(value);
  if (!Object.is(lastValue, value)) {
    setSeen(value);
    // Invalid text is replaced even if the new value is empty: the change was discarded.
    const unread = result !== undefined && !result.ok;
    if (unread || (value ?? undefined) !== parsedValue) setText(writtenValue);
  }

  return {
    text,
    parsed: result,
    /** The parser's message, shown only after the field has been left once. */
    refusal: hasLeft && result && !result.ok ? result.message : undefined,
    type: setText,
    leave: () => {
      setLeft(true);
      if (result?.ok) setText(write(result.value));
    },
  };
}

type UnitInputProps = ComponentProps<"input"> & {
  /** Shown inside the box, after the number: "requests", "USD". */
  unit?: string | undefined;
};

/** A right-aligned number input with its unit in the same box. */
export function UnitInput({ unit, ...input }: UnitInputProps) {
  return (
    <div className="flex items-stretch">
      <input
        {...input}
        autoComplete="off"
        className={`field h-9 min-w-0 flex-1 text-right pointer-coarse:h-11 ${unit ? "rounded-r-none focus-visible:z-1" : ""}`}
      />
      {unit && (
        <span className="flex min-w-24 items-center rounded-r-md border border-l-0 border-field-border bg-default-soft px-2.5 text-sm whitespace-nowrap text-muted">
          {unit}
        </span>
      )}
    </div>
  );
}
