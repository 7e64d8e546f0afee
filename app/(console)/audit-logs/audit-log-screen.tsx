"use client";

import { auditLogParameters, filterNames } from "@/components/audit-log/audit-log-filter";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { GuideLink } from "@/components/ui/links/guide-link";
import { PageHead } from "@/components/ui/page-head";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { AuditLogFilters } from "./audit-log-filters";
import { AuditLogList } from "./audit-log-list";
import { AuditLogTabs } from "./audit-log-tabs";
import { ChainState } from "./chain-state";

/** All changes and who made them. */
export function AuditLogScreen({ openedAt }: { openedAt: number }) {
  const { parameters, active } = useAddressFilter(filterNames, auditLogParameters, openedAt);
  return (
    <>
      <PageHead
        title="Audit log"
        sentence={
          <>
            Who changed what, when and from where. Nobody can edit it.{" "}
            <GuideLink page="security" anchor="logs">
              How the log is protected
            </GuideLink>
          </>
        }
        action={
          <ExportMenu row="event" buildHref={(form) => buildExportUrl("listAuditLogs", parameters, form)} />
        }
      />
      <AuditLogTabs current="changes" />
      <div className="grid gap-3">
        <ChainState />
        <AuditLogFilters active={active} />
        <AuditLogList openedAt={openedAt} />
      </div>
    </>
  );
}
