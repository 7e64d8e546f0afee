"use client";

import { useEffect, useState } from "react";

/** Returns a text once it has been unchanged for `afterMs`. */
export function useDebounced(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
