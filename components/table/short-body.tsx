"use client";

import type { ReactNode } from "react";
import { useIsPainted } from "../browser/use-is-painted";
import { countFirstRows, Gap, ROW_PX } from "./gap";

type ShortBodyProps<Row> = { rows: readonly Row[]; draw: (row: Row) => ReactNode };

/** Renders all rows: those below the window once the screen is painted. */
export function ShortBody<Row>({ rows, draw }: ShortBodyProps<Row>) {
  const isPainted = useIsPainted();
  const shownRows = isPainted ? rows : rows.slice(0, countFirstRows());
  const leftOut = rows.length - shownRows.length;
  return (
    <tbody role="rowgroup">
      {shownRows.map((row) => draw(row))}
      {leftOut > 0 && <Gap height={leftOut * ROW_PX} />}
    </tbody>
  );
}
