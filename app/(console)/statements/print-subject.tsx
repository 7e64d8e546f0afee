"use client";

import { useEffect } from "react";

/** Adds what a page's title doesn't name, such as the chosen project, to the foot of printed pages. Renders nothing. */
export function PrintSubject({ name }: { name: string }) {
  useEffect(() => {
    document.documentElement.dataset.printSubject = name;
    return () => {
      delete document.documentElement.dataset.printSubject;
    };
  }, [name]);
  return null;
}
