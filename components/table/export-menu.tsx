import { Download } from "lucide-react";
import { buttonStyle } from "../ui/button-style";
import { Menu } from "../ui/menu";

/** Downloads the whole of what a filter names. @param hrefOf where it is streamed in this form. @param row what a line is called. */
export function ExportMenu({ hrefOf, row }: { hrefOf: (form: "csv" | "ndjson") => string; row: string }) {
  const download = (form: "csv" | "ndjson") => window.location.assign(hrefOf(form));
  return (
    <Menu
      align="end"
      triggerClassName={buttonStyle()}
      trigger={
        <>
          <Download aria-hidden />
          Export
        </>
      }
      sections={[
        {
          entries: [
            { id: "csv", label: "CSV", note: "For spreadsheets", onSelect: () => download("csv") },
            {
              id: "ndjson",
              label: "NDJSON",
              note: `Every field, one ${row} a line`,
              onSelect: () => download("ndjson"),
            },
          ],
        },
      ]}
    />
  );
}
