"use client";

import { type ReactNode, useContext } from "react";
import { Button } from "../button";
import { BusyContext } from "../states/busy-context";

/** The heads of the columns that are left out in a narrow space, and where rows are blocks. */
type LeftOutColumns = { readonly narrow: readonly string[]; readonly listed: readonly string[] };

type TableFrameProps = {
  isCrowded: boolean;
  leftOut: LeftOutColumns;
  /** True once all columns were asked for: what doesn't fit is scrolled to. */
  showsAll: boolean;
  showAll: () => void;
  children: ReactNode;
};

/**
 * The box around a table. Dims the rows of the filter before, until those of the present one have come, and names the
 * columns for which there is no room.
 */
export function TableFrame({ isCrowded, leftOut, showsAll, showAll, children }: TableFrameProps) {
  const isBusy = useContext(BusyContext);
  return (
    <div
      className="table-frame rounded-md border bg-surface aria-busy:opacity-60 aria-busy:transition-opacity aria-busy:delay-150"
      data-crowded={isCrowded || undefined}
      data-scrolls={showsAll || undefined}
      aria-busy={isBusy || undefined}
    >
      {children}
      {!showsAll && (
        <>
          <LeftOut where="narrow" names={leftOut.narrow} showAll={showAll} />
          <LeftOut where="listed" names={leftOut.listed} showAll={showAll} />
        </>
      )}
    </div>
  );
}

type LeftOutProps = { where: keyof LeftOutColumns; names: readonly string[]; showAll: () => void };

function LeftOut({ where, names, showAll }: LeftOutProps) {
  if (names.length === 0) return null;
  return (
    <div
      data-left-out={where}
      className="flex-wrap items-center gap-x-3 gap-y-1 border-t px-3 py-1.5 text-sm"
    >
      <span className="min-w-0 text-muted">Not shown: {names.join(", ")}</span>
      <Button size="small" variant="ghost" onClick={showAll}>
        {names.length === 1 ? "Show this column" : "Show these columns"}
      </Button>
    </div>
  );
}
