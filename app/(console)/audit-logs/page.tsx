import { auditLogParameters, inShort } from "@/components/audit-log/audit-log-filter";
import { readsOfFilters } from "@/components/filters/filter-reads";
import { OrganizationPage } from "@/components/object-page/object-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { AuditLogScreen } from "./audit-log-screen";

export const metadata = { title: "Audit log" };

type AuditLogsPageProps = { searchParams: Promise<PageQuery> };

export default function AuditLogsPage({ searchParams }: AuditLogsPageProps) {
  return (
    <OrganizationPage title="Audit log" to="list changes" endpoint="GET /organization/audit_logs">
      {async () => {
        const query = await searchParams;
        const openedAt = nowSeconds();
        const parameters = auditLogParameters(findInQuery(query), openedAt);
        return (
          <Prefetched
            reads={[
              { pages: "listAuditLogs", parameters: inShort(parameters) },
              ...readsOfFilters(query, { projects: "project_ids", members: "actor_ids" }),
            ]}
          >
            <AuditLogScreen openedAt={openedAt} />
          </Prefetched>
        );
      }}
    </OrganizationPage>
  );
}
