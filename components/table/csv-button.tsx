"use client";

import { Download } from "lucide-react";
import { Button } from "../ui/button";
import { type CsvColumn, toCsv } from "./to-csv";

type CsvButtonProps<Row> = { rows: readonly Row[]; columns: readonly CsvColumn<Row>[]; filename: string };

/** Downloads the rows as a spreadsheet reads them. */
export function CsvButton<Row>({ rows, columns, filename }: CsvButtonProps<Row>) {
  function download() {
    // The mark tells spreadsheets that the file is UTF-8.
    const file = new Blob(["\ufeff", toCsv(rows, columns)], { type: "text/csv;charset=utf-8" });
    const address = URL.createObjectURL(file);
    const link = Object.assign(document.createElement("a"), { href: address, download: filename });
    link.click();
    URL.revokeObjectURL(address);
  }
  return (
    <Button onClick={download} disabled={rows.length === 0}>
      <Download aria-hidden />
      Download CSV
    </Button>
  );
}
