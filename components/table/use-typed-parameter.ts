"use client";

import { useEffect, useRef, useState } from "react";
import { useUrlParameter } from "./use-url-parameter";

const SETTLE_MS = 150;

/** One parameter of the address as it is typed: it counts once the typing has paused. `clean` makes it what the address holds. */
export function useTypedParameter(
  parameter: string,
  clean: (text: string) => string = (text) => text,
): [string, (text: string) => void] {
  const [value, setValue] = useUrlParameter(parameter);
  const [text, setText] = useState(value);
  const written = useRef(value);

  // Follows the address where somebody else changed it; our own change may arrive when more has been typed.
  useEffect(() => {
    if (value === written.current) return;
    written.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const typed = clean(text);
    if (typed === written.current) return;
    const timer = setTimeout(() => {
      written.current = typed;
      setValue(typed);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, clean, setValue]);

  return [text, setText];
}
