import type { ReactNode } from "react";

/** A neutral label on an object: "predefined", "sandbox". Use `Status` for a state. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-5 items-center rounded-sm border bg-default-soft px-1.5 text-xs whitespace-nowrap text-muted">
      {children}
    </span>
  );
}
