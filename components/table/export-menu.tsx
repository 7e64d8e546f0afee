import { Download } from "lucide-react";
import { composeButtonStyle } from "../ui/compose-button-style";
import { Menu } from "../ui/menu";

/** Downloads everything the filter matches. @param buildHref returns the download's address. @param row noun for one row. */
export function ExportMenu({
  buildHref,
  row,
}: {
  buildHref: (form: "csv" | "ndjson") => string;
  row: string;
}) {
  const download = (form: "csv" | "ndjson") => window.location.assign(buildHref(form));
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
