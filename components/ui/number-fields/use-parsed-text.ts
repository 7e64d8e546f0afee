"use client";

import { useState } from "react";
import type { ParsedText } from "./parse-quantity";

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
