"use client";

import type { ReactNode } from "react";

/**
 * Renders nothing. Passing `content` through a client component makes the browser load its code at once, before the
 * reads end.
 */
export function LoadAhead(_props: { readonly content: ReactNode }) {
  return null;
}
