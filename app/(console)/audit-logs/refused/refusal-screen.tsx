"use client";

import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { PageHead } from "@/components/ui/page-head";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { AuditLogTabs } from "../audit-log-tabs";
import { filterNames, refusalParameters } from "./refusal-filter";
import { RefusalFilters } from "./refusal-filters";
import { RefusalList } from "./refusal-list";

/** Refused requests and who made them. */
export function RefusalScreen({ openedAt }: { openedAt: number }) {
  const { parameters, active } = useAddressFilter(filterNames, refusalParameters, openedAt);
  return (
    <>
      <PageHead
        title="Audit log"
        sentence="Requests without a valid key or the required permission, counted per minute."
        action={
          <ExportMenu
            row="row"
            buildHref={(form) => buildExportUrl("listAccessRefusals", parameters, form)}
          />
        }
      />
      <AuditLogTabs current="refused" />
      <div className="grid gap-3">
        <RefusalFilters active={active} />
        <RefusalList openedAt={openedAt} />
      </div>
    </>
  );
}
