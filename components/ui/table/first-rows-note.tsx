"use client";

import { formatCount } from "@/components/ui/values/group-digits";

/** Shown below a list that has more rows than it shows. */
export function FirstRowsNote({ shown }: { shown: number }) {
  return (
    <p className="mt-2 text-sm text-muted">
      Only the first {formatCount(shown)} are listed. The API lists them all.
    </p>
  );
}
