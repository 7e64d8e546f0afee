import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/session";
import { sessionData } from "../../session-data";
import { EventScreen } from "../event-screen";

export const metadata = { title: "Event" };

export default async function AuditLogPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const id = decodeURIComponent((await params).id);
  const { offer } = await sessionData();
  if (offer === "specification") {
    return (
      <Page>
        <PageHead title="Event" />
        <UnsupportedState operation="see a change" endpoint="GET /organization/audit_logs/{audit_log_id}" />
      </Page>
    );
  }
  return (
    <Page>
      <Prefetched reads={[["retrieveAuditLog", { audit_log_id: id }]]}>
        <EventScreen key={id} id={id} />
      </Prefetched>
    </Page>
  );
}
