import { EventScreen } from "@/app/(console)/audit-logs/event-state";
import { DetailPage } from "@/components/object-page/object-page";

export const metadata = { title: "Event" };

export default function AuditLogPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <DetailPage
      params={params}
      title="Event"
      to="see a change"
      endpoint="GET /organization/audit_logs/{audit_log_id}"
      reads={({ id }) => [["retrieveAuditLog", { audit_log_id: id }]]}
    >
      {({ id }) => <EventScreen key={id} id={id} />}
    </DetailPage>
  );
}
