"use client";

import { useState } from "react";
import type { Parsed } from "./parse-quantity";

/**
 * Keeps the typed text apart from the value it stands for. The text changes by typing or when the value is set from outside (a
 * reset, a discarded change), and is reformatted on blur.
 */
export function useParsedText<Value>(options: {
  value: Value | null | undefined;
  parse: (text: string) => Parsed<Value>;
  write: (value: Value) => string;
}) {
  const { value, parse, write } = options;
  const written = value === null || value === undefined ? "" : write(value);
  const [text, setText] = useState(written);
  const [left, setLeft] = useState(written !== "");
  const parsed: Parsed<Value> | undefined = text.trim() === "" ? undefined : parse(text);

  const parsedValue = parsed?.ok ? parsed.value : undefined;
  const [seen, setSeen] = useState(value);
  if (!Object.is(seen, value)) {
    setSeen(value);
    // Invalid text is replaced even if the new value is empty: the change was discarded.
    const unread = parsed !== undefined && !parsed.ok;
    if (unread || (value ?? undefined) !== parsedValue) setText(written);
  }

  return {
    text,
    parsed,
    /** The parser's message, shown only after the field has been left once. */
    refusal: left && parsed && !parsed.ok ? parsed.message : undefined,
    type: setText,
    leave: () => {
      setLeft(true);
      if (parsed?.ok) setText(write(parsed.value));
    },
  };
}
