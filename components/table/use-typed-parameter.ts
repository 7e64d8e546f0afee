"use client";

import { useEffect, useRef, useState } from "react";
import { useUrlParameter } from "./use-url-parameter";

const SETTLE_MS = 150;

/**
 * A parameter of the address bound to a text field. Updates the address after a pause. `clean` converts the text to the
 * parameter's value.
 */
export function useTypedParameter(
  parameter: string,
  clean: (text: string) => string = (text) => text,
): [string, (text: string) => void] {
  const [value, setValue] = useUrlParameter(parameter);
  const [text, setText] = useState(value);
  const lastWritten = useRef(value);

  // Follows changes of the address from elsewhere. Our own change is skipped: more may have been typed when it arrives.
  useEffect(() => {
    if (value === lastWritten.current) return;
    lastWritten.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const cleanText = clean(text);
    if (cleanText === lastWritten.current) return;
    const timer = setTimeout(() => {
      lastWritten.current = cleanText;
      setValue(cleanText);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, clean, setValue]);

  return [text, setText];
}
