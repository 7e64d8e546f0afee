"use client";

import type { ReactNode } from "react";

/** Shows nothing. What it is given names code, which the browser loads as soon as it hears of it: before the reads end. */
export function LoadAhead(_props: { readonly content: ReactNode }) {
  return null;
}
