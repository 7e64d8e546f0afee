import type { ReactNode } from "react";

/** A neutral word about an object: "predefined", "sandbox". A state with a meaning is a `Status`. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-5 items-center rounded-sm border bg-default-soft px-1.5 text-xs whitespace-nowrap text-muted">
      {children}
    </span>
  );
}
