import { auditLogParameters, inShort } from "@/app/audit-events/audit-log-filter";
import { readsOfFilters } from "@/app/filters/filter-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { readNowSeconds } from "@/components/filters/time-range";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { findGatewaySupport } from "@/lib/console/sign-in/gateway-support";
import { requireSession } from "@/lib/console/sign-in/session";
import { AuditLogScreen } from "./audit-log-screen";

export const metadata = { title: "Audit log" };

type AuditLogsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function AuditLogsPage({ searchParams }: AuditLogsPageProps) {
  const support = findGatewaySupport(await requireSession());
  const query = await searchParams;
  if (support === "specification") {
    return (
      <Page>
        <PageHead title="Audit log" />
        <UnsupportedState operation="list changes" endpoint="GET /organization/audit_logs" />
      </Page>
    );
  }
  const openedAt = readNowSeconds();
  const parameters = auditLogParameters((name) => String(query[name] ?? ""), openedAt);
  return (
    <Page>
      <Prefetched
        reads={[
          { pages: "listAuditLogs", parameters: inShort(parameters) },
          ...readsOfFilters(query, { projects: "project_ids", members: "actor_ids" }),
        ]}
      >
        <AuditLogScreen openedAt={openedAt} />
      </Prefetched>
    </Page>
  );
}
