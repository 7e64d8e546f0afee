import { Download } from "lucide-react";
import { composeButtonStyle } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu/menu";
import { downloadExport } from "./download-export";

type ExportMenuProps = {
  /** Returns the download's address. */
  buildHref: (form: "csv" | "ndjson") => string;
  /** A noun for one row. */
  row: string;
};

/** Downloads everything the filter matches. */
export function ExportMenu({ buildHref, row }: ExportMenuProps) {
  const download = (form: "csv" | "ndjson") => void downloadExport(buildHref(form));
  return (
    <Menu
      align="end"
      triggerClassName={composeButtonStyle()}
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
