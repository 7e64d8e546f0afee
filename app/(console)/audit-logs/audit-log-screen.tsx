"use client";

import { Download } from "lucide-react";
import { buttonStyle } from "@/components/ui/button-style";
import { Menu } from "@/components/ui/menu";
import { PageHead } from "@/components/ui/page-head";
import { exportUrl } from "@/lib/console/reads";
import { AuditLogFilters } from "./audit-log-filters";
import { AuditLogList } from "./audit-log-list";
import { ChainState } from "./chain-state";
import { useFilter } from "./use-filter";

/** Who changed what. */
export function AuditLogScreen({ openedAt }: { openedAt: number }) {
  const { parameters, asked } = useFilter(openedAt);
  const download = (form: "csv" | "ndjson") =>
    window.location.assign(exportUrl("listAuditLogs", parameters, form));
  return (
    <>
      <PageHead
        title="Audit log"
        sentence="Who changed what, when and from where. Nobody can edit it."
        action={
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
                    note: "Every field, one event a line",
                    onSelect: () => download("ndjson"),
                  },
                ],
              },
            ]}
          />
        }
      />
      <div className="grid gap-3">
        <ChainState />
        <AuditLogFilters asked={asked} />
        <AuditLogList openedAt={openedAt} />
      </div>
    </>
  );
}
