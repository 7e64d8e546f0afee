"use client";

import { type ReactNode, useContext } from "react";
import { BusyContext } from "../states/busy-context";

/** The box around a table. Dims the rows of the filter before, until those of the present one have come. */
export function TableFrame({ isCrowded, children }: { isCrowded: boolean; children: ReactNode }) {
  const isBusy = useContext(BusyContext);
  return (
    <div
      className="table-frame rounded-md border bg-surface aria-busy:opacity-60 aria-busy:transition-opacity aria-busy:delay-150"
      data-crowded={isCrowded || undefined}
      aria-busy={isBusy || undefined}
    >
      {children}
    </div>
  );
}
