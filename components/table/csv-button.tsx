"use client";

import { Download } from "lucide-react";
import { Button } from "../ui/button";
import { downloadFile } from "../ui/download-file";
import { type CsvColumn, toCsv } from "./to-csv";

type CsvButtonProps<Row> = { rows: readonly Row[]; columns: readonly CsvColumn<Row>[]; filename: string };

/** Downloads the rows as a spreadsheet reads them. */
export function CsvButton<Row>({ rows, columns, filename }: CsvButtonProps<Row>) {
  // The mark tells spreadsheets that the file is UTF-8.
  const download = () => downloadFile(filename, "text/csv", `\ufeff${toCsv(rows, columns)}`);
  return (
    <Button onClick={download} disabled={rows.length === 0}>
      <Download aria-hidden />
      Download CSV
    </Button>
  );
}
