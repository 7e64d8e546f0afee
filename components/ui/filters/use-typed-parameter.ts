"use client";

import { createContext, useContext, useEffect, useRef, useState } from "react";
import { useUrlParameter } from "./use-url-parameter";

const SETTLE_MS = 150;

/** How often the surrounding filters were cleared. */
export const ClearedContext = createContext(0);

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
  const clearedCount = useContext(ClearedContext);
  const seenCount = useRef(clearedCount);

  // Follows changes of the address from elsewhere. Our own change is skipped: more may have been typed when it arrives.
  useEffect(() => {
    if (value === lastWritten.current) return;
    lastWritten.current = value;
    setText(value);
  }, [value]);
  // Clearing also takes text that isn't in the address, because it is invalid or was typed a moment ago.
  useEffect(() => {
    if (clearedCount === seenCount.current) return;
    seenCount.current = clearedCount;
    lastWritten.current = "";
    setText("");
  }, [clearedCount]);
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
