"use client";

import { useState } from "react";
import type { Parsed } from "./parse-quantity";

/**
 * Keeps what a person types apart from the value it means. The text changes by typing, and when the value is set
 * from elsewhere (a reset, a discarded change); it is written tidily when the field is left.
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

  const meant = parsed?.ok ? parsed.value : undefined;
  const [seen, setSeen] = useState(value);
  if (!Object.is(seen, value)) {
    setSeen(value);
    // Text that means nothing gives way even to no value: a change was discarded.
    const unread = parsed !== undefined && !parsed.ok;
    if (unread || (value ?? undefined) !== meant) setText(written);
  }

  return {
    text,
    parsed,
    /** The parser's words, once the field has been left; never while typing the first time. */
    refusal: left && parsed && !parsed.ok ? parsed.message : undefined,
    type: setText,
    leave: () => {
      setLeft(true);
      if (parsed?.ok) setText(write(parsed.value));
    },
  };
}
